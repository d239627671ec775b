import { describe, expect, it } from 'vitest';
import { accessControlError } from '../../../../src/kinds/web-accel-site/access-control.ts';
import { storedACL } from '../../../../src/simulator/web-acceleration/acl.ts';

describe('an access control list', () => {
  it.each([[[]], [['deny 192.0.2.0/24', 'allow all']], [['allow 2001:db8::/32', 'allow 192.0.2.7', 'deny all']]])(
    'is taken as %j',
    (rules) => {
      expect(accessControlError(rules)).toBeUndefined();
    },
  );

  it.each([
    [
      ['deny 192.0.2.0/24', 'block all'],
      'accessControl line 2, "block all": write deny or allow, a space, and an address, a network or all, for example "deny 192.0.2.0/24".',
    ],
    [
      ['deny'],
      'accessControl line 1, "deny": write deny or allow, a space, and an address, a network or all, for example "deny 192.0.2.0/24".',
    ],
    [
      ['deny 192.0.2.0/33'],
      'accessControl line 1, "deny 192.0.2.0/33": 192.0.2.0/33 is neither an address nor a network; write for example 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.',
    ],
    [
      ['allow all', 'deny 192.0.2.7'],
      'accessControl line 1, "allow all": move it to the end; nothing after "all" would count.',
    ],
  ])('%j is refused before it is sent, and the message names the line', (rules, message) => {
    expect(accessControlError(rules)).toBe(message);
    expect(() => storedACL(rules.join('\n'))).toThrow(/ACL line/);
  });
});
