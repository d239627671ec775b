import { describe, expect, it } from 'vitest';
import { parseApiPath, textOf } from '../../../../../src/cli/ask/api/path.ts';

describe('a path of the service is read', () => {
  it.each([
    ['/commonserviceitem', undefined, '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem', undefined],
    [
      'commonserviceitem/113300000017/sim/ip',
      undefined,
      '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem/113300000017/sim/ip',
      undefined,
    ],
    ['/applience/113300000101', 'is1b', '/cloud/zone/is1b/api/cloud/1.1/appliance/113300000101', undefined],
    ['/site/113300000201/acl', undefined, '/cloud/zone/is1a/api/webaccel/1.0/site/113300000201/acl', undefined],
    ['/monthlyusage?target=202610', 'is1a', '/cloud/zone/is1a/api/webaccel/1.0/monthlyusage', 'target=202610'],
    ['/cloud/zone/tk1b/api/cloud/1.1/server', undefined, '/cloud/zone/tk1b/api/cloud/1.1/server', undefined],
    ['/cloud/zone/is1a/api/webaccel/1.0/site', 'is1a', '/cloud/zone/is1a/api/webaccel/1.0/site', undefined],
    ['/server?{"Count": 10}', undefined, '/cloud/zone/is1a/api/cloud/1.1/server', { Count: 10 }],
    ['/server?%7B%22Count%22%3A1%7D', undefined, '/cloud/zone/is1a/api/cloud/1.1/server', '%7B%22Count%22%3A1%7D'],
  ])('%s in %s', (path, zone, whole, query) => {
    const parsed = parseApiPath(path, zone);
    expect([textOf(parsed, 'GET', 'Extended'), parsed.query]).toEqual([whole, query]);
    expect(parsed.api).toBe(whole.includes('/webaccel/') ? 'webaccel' : 'cloud');
  });
});

describe('anything but a plain path of the service is refused', () => {
  it.each([
    '',
    '/',
    '//other.example/site',
    'https://other.example/site',
    '@other.example/site',
    'user:pass@other.example',
    '/site//113300000201',
    '/site/../server',
    '/site/./acl',
    '/site/%2e%2e/server',
    '/site/%2e%2e%2fserver',
    '/site/..%2fserver',
    '/site%2f113300000201',
    '/site/..;/server',
    '/site;x=1/acl',
    '\\\\other.example\\site',
    '/site\\..\\server',
    '/site\r\nHost: other.example',
    '/site\nX-A: b',
    '/site\u0000',
    '/site\t/acl',
    '/site /acl',
    '/site#fragment',
    '/site/',
    '/ſite/113300000201',
    '/サイト',
    '/site/113300000201/acl:80',
    '/cloud/zone/is1a/api/system/1.0/account',
    '/cloud/zone/is1a/api/cloud/1.1',
    '/cloud/zone/is1a/api/cloud/1.1/',
    '/cloud/zone/is1a/api/cloud/1.1//other.example',
    '/cloud/zone/is1a/api/cloud/1.1/../../webaccel/1.0/site',
    '/cloud/zone/../api/cloud/1.1/server',
    '/cloud/zone/is1a%2f/api/cloud/1.1/server',
    '/cloud/zone/tk1b/api/webaccel/1.0/site',
    '/cloud/zone/is1a/api/WebAccel/1.0/site',
    '/cloud/zone//api/cloud/1.1/server',
    '/server?a=b\r\nHost: other.example',
    '/server?a b',
    '/server?a=b#c',
    '/server?{"Count":',
    '/server?"Count"',
    `/${'a'.repeat(129)}`,
  ])('%j', (path) => {
    expect(() => parseApiPath(path, undefined)).toThrow(expect.objectContaining({ code: 'Usage' }));
  });

  it.each([
    ['/server', '../x', '"../x" is no zone'],
    ['/server', 'is1a/../..', '"is1a/../.." is no zone'],
    ['/site', 'tk1b', 'web acceleration is in no zone but is1a'],
    ['/cloud/zone/is1a/api/cloud/1.1/server', 'tk1b', 'the path names the zone is1a, and --zone another'],
  ])('%s in the zone %s', (path, zone, message) => {
    expect(() => parseApiPath(path, zone)).toThrow(message);
  });
});
