import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { convert } from '../../../../src/import/terraform/convert.ts';
import { renderManifests, renderSecrets, renderStateRm } from '../../../../src/import/terraform/render.ts';
import { reportOf } from '../../../../src/import/terraform/report.ts';
import type { Conversion, ConvertOptions } from '../../../../src/import/terraform/result.ts';
import { readState } from '../../../../src/import/terraform/state.ts';
import { isUnsafe } from '../../../../src/unsafe.ts';
import type { Issued } from '../../../support/certificates.ts';
import { siteCertificate, stateOf } from '../../../support/terraform/states.ts';

const plain: ConvertOptions = {
  accountOf: () => undefined,
  observe: false,
  dialect: 'Documented',
  sendUnseen: false,
};
const from = 'fleet.tfstate';

let certificate: Issued;
beforeAll(async () => {
  certificate = await siteCertificate();
});

function converted(release: string, options: Partial<ConvertOptions> = {}): Conversion {
  return convert(readState(stateOf(release, certificate)), { ...plain, ...options });
}

/** What a person sees, but for the certificate, which is another one in each run. */
function seen(release: string, conversion: Conversion): { manifests: string; report: string } {
  const state = readState(stateOf(release, certificate));
  return {
    manifests: renderManifests(conversion.manifests, { from, namespace: undefined }),
    report: reportOf(conversion, { from, state, secretsFile: undefined, stateRmFile: undefined }).replaceAll(
      certificate.fingerprint.slice(0, 12),
      '<fingerprint>',
    ),
  };
}

const revealed = ({ secrets }: Conversion) =>
  Object.fromEntries(
    secrets.map(({ name, type, values }) => [
      name,
      [type, ...Object.entries(values).map(([key, value]) => `${key}=${value.reveal()}`)],
    ]),
  );
const specOf = ({ manifests }: Conversion, kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.name === name)?.spec;

describe('a state', () => {
  it.each(['2.8', '2.29', '2.36'])('of release %s becomes these manifests and this report', async (release) => {
    const { manifests, report } = seen(release, converted(release));
    await expect(manifests).toMatchFileSnapshot(`expected/release-${release}.yaml`);
    await expect(report).toMatchFileSnapshot(`expected/release-${release}.txt`);
  });

  it('gives the same whatever the order of what is in it', () => {
    const state = readState(stateOf('2.36', certificate));
    const { manifests } = convert({ ...state, resources: state.resources.toReversed() }, plain);
    const shown = ({ kind, name, spec }: Conversion['manifests'][number]) => ({ kind, name, spec });
    // Of two addresses of one SIM the first counts, which gives it its name.
    const others = (all: Conversion['manifests']) =>
      all.filter(({ spec }) => !JSON.stringify(spec).includes('113300000017')).filter(({ name }) => name !== 'depot');
    expect(others(manifests).map(shown)).toEqual(others(converted('2.36').manifests).map(shown));
  });
});

describe('secrets', () => {
  it('are those the manifests refer to, and no others', () => {
    expect(revealed(converted('2.36'))).toEqual({
      'depot-chat-webhook': ['Opaque', 'url=https://hooks.slack.com/services/canary/hook/1'],
      'fleet-north.a-vans-0-van-41-pass-code': ['Opaque', 'passCode=canary-pass-41'],
      'fleet-van-113300000042-pass-code': ['Opaque', 'passCode=canary-pass-42'],
      'fleet-van-113300000043-pass-code': ['Opaque', 'passCode=canary-pass-43'],
      'shop-tls': ['kubernetes.io/tls', `tls.crt=${certificate.chain}`, `tls.key=${certificate.key}`],
      'elsewhere-tls': ['kubernetes.io/tls', `tls.crt=${certificate.chain}`, `tls.key=${certificate.key}`],
      'truck-17-pass-code': ['Opaque', 'passCode=canary-pass-17'],
      'truck-18-pass-code': ['Opaque', 'passCode=canary-pass-18'],
      'van-it-s-33-pass-code': ['Opaque', 'passCode=canary-pass-33'],
      'van-van-31-pass-code': ['Opaque', 'passCode=canary-pass-31'],
    });
  });

  it('show nothing however they are printed', () => {
    expect(JSON.stringify(converted('2.36', { sendUnseen: true }))).not.toContain('canary');
  });
});

describe('what the service does not show', () => {
  it('is carried over with sendUnseen', () => {
    const conversion = converted('2.36', { sendUnseen: true });
    expect(specOf(conversion, 'MobileGateway', 'depot')).toMatchObject({
      dns: { primary: '133.242.0.3', secondary: '133.242.0.4' },
    });
    expect(specOf(conversion, 'MobileGateway', 'north')).not.toHaveProperty('dns');
    expect(specOf(conversion, 'Sim', 'truck-17')).toMatchObject({ imeiLock: '356938035643809' });
    expect(specOf(conversion, 'WebAccelSite', 'media')).toMatchObject({
      origin: {
        objectStorage: {
          bucket: 'shop-media',
          endpoint: 's3.isk01.sakurastorage.jp',
          region: 'jp-north-1',
          credentialsSecretRef: { name: 'media-bucket' },
          documentIndex: true,
        },
      },
    });
    expect(specOf(conversion, 'WebAccelSite', 'shop')).toMatchObject({
      oneTimeURLSecretRef: { name: 'shop-one-time-url', key: 'secret' },
    });
    expect(revealed(conversion)).toMatchObject({
      'media-bucket': ['Opaque', 'accessKeyID=canary-key-id', 'secretAccessKey=canary-key'],
      'shop-one-time-url': ['Opaque', 'secret=canary-one-time'],
    });
  });

  it('is less in the Extended dialect: resolvers and IMEIs show, keys do not', () => {
    const conversion = converted('2.36', { dialect: 'Extended' });
    expect(specOf(conversion, 'MobileGateway', 'depot')).toHaveProperty('dns');
    expect(specOf(conversion, 'Sim', 'truck-17')).toHaveProperty('imeiLock');
    expect(specOf(conversion, 'WebAccelSite', 'media')).not.toHaveProperty('origin');
    expect(specOf(conversion, 'WebAccelSite', 'shop')).not.toHaveProperty('oneTimeURLSecretRef');
  });
});

describe('the options', () => {
  it('observe has every manifest only observe', () => {
    const { manifests } = converted('2.36', { observe: true });
    expect(new Set(manifests.map(({ spec }) => spec.managementPolicy))).toEqual(new Set(['Observe']));
  });

  it('name accounts by the alias of the provider', () => {
    const { manifests } = converted('2.36', {
      accountOf: (alias) => (alias === 'tokyo' ? { kind: 'ClusterCloudAccount', name: 'tokyo' } : undefined),
    });
    const named = manifests.filter(({ spec }) => spec.accountRef).map(({ name, spec }) => [name, spec.accountRef]);
    const tokyo = { kind: 'ClusterCloudAccount', name: 'tokyo' };
    expect(named).toEqual([
      ['north', tokyo],
      ['fleet-north.a-vans-0-van-41', tokyo],
    ]);
  });
});

it('a number that lost digits when it was read is no ICCID', () => {
  const attributes = '{"id":"113300000017","iccid":8981040000000000017}';
  const provider = 'provider[\\"registry.terraform.io/sacloud/sakuracloud\\"]';
  const resource = `{"mode":"managed","type":"sakuracloud_sim","name":"truck","provider":"${provider}","instances":[{"attributes":${attributes}}]}`;
  const { manifests, findings } = convert(readState(`{"version":4,"resources":[${resource}]}`), plain);
  expect({ manifests, findings }).toEqual({
    manifests: [],
    findings: [expect.objectContaining({ why: 'the state has no iccid that Edgeline accepts' })],
  });
});

/** A state with one SIM that has these attributes. */
function simState(name: string, attributes: object): string {
  const provider = 'provider["registry.terraform.io/sacloud/sakuracloud"]';
  const resource = { mode: 'managed', type: 'sakuracloud_sim', name, provider, instances: [{ attributes }] };
  return JSON.stringify({ version: 4, resources: [resource] });
}

it.each(['../..', '1133/appliance', '', ' '])('what has the ID "%s" is not carried over', (id) => {
  const { manifests, findings } = convert(readState(simState('truck', { id, iccid: '8981040000000000017' })), plain);
  expect(manifests).toEqual([]);
  expect(findings).toEqual([expect.objectContaining({ why: expect.stringMatching(/^it(s ID is none| has no ID)/) })]);
});

it('nothing that a state names can steer a terminal or turn a line round', () => {
  const state = readState(simState('tr\u202euck\u001b[31m\u3164', { id: '../..' }));
  const report = reportOf(convert(state, plain), { from, state, secretsFile: undefined, stateRmFile: undefined });
  expect(report).toContain('tr uck');
  expect(report).not.toMatch(/[\p{Cf}\u3164]|(?!\n)\p{Cc}/u);
});

it('types and providers are counted by any name', () => {
  const managed = (type: string, provider: string) => ({ mode: 'managed', type, name: 'x', provider, instances: [{}] });
  const names = ['constructor', '__proto__', 'null_resource'];
  const resources = names.flatMap((name) => [
    managed(name, 'provider["registry.terraform.io/sacloud/sakuracloud"]'),
    managed('x', `provider["registry.terraform.io/x/${name}"]`),
  ]);
  const { counts } = convert(readState(JSON.stringify({ version: 4, resources })), plain);
  const each = names.map((name) => [name, 1]);
  expect(Object.entries(counts.otherTypes)).toEqual(expect.arrayContaining(each));
  expect(Object.entries(counts.otherProviders)).toEqual(expect.arrayContaining(each));
});

it('a certificate that was renewed at the site since is not carried over: the operator would put the old one back', () => {
  const { manifests, findings } = converted('2.36');
  expect(manifests.filter(({ kind }) => kind === 'SiteCertificate').map(({ name, spec }) => [name, spec])).toEqual([
    ['elsewhere', { siteID: 'site00000008', secretRef: { name: 'elsewhere-tls' } }],
    ['shop', { siteRef: { name: 'shop' }, secretRef: { name: 'shop-tls' } }],
  ]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      address: 'sakuracloud_webaccel_certificate.renewed',
      why: `the state holds the certificate ${certificate.fingerprint.slice(0, 12)}, and 000000000000 is on the site`,
    }),
  );
});

it('whatever a name or a pass code is, kubectl reads it as a text, and no line of a state becomes one of a manifest', () => {
  const words = [
    'no',
    'on',
    'Y',
    '~',
    'null',
    '0123',
    '1_000',
    '12:30:45',
    '1e3',
    '0x1F',
    '.5',
    ' x ',
    '# x',
    '- x',
    '*a',
    '2026-11-22',
  ];
  const state = readState(stateOf('2.8', certificate));
  const resources = state.resources.flatMap((resource) =>
    resource.type === 'sakuracloud_sim'
      ? words.map((word, at) => ({
          ...resource,
          module: 'module.a["x\nkind: Secret"]',
          name: `sim_${String(at).padStart(2, '0')}`,
          instances: (resource.instances ?? []).map((instance) => ({
            ...instance,
            attributes: { ...instance.attributes, id: `11330000010${at}`, name: word, passcode: word },
          })),
        }))
      : [],
  );
  const { manifests, secrets } = convert({ ...state, resources }, plain);
  const read = (text: string) => parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS());
  const options = { from: 'a\nb: c', namespace: undefined };
  expect(read(renderManifests(manifests, options)).map(({ spec }) => spec.displayName)).toEqual(words);
  expect(read(renderSecrets(secrets, options)).map(({ stringData }) => stringData.passCode)).toEqual(words);
});

it('the script has Terraform forget what was carried over, each address as one word of a shell', () => {
  const { released } = converted('2.36');
  expect(renderStateRm({ released }).split('\n').slice(0, 2)).toEqual([
    '#!/bin/sh',
    '# Has Terraform forget what Edgeline looks after now; at the service nothing changes. Run it where terraform plan',
  ]);
  expect(renderStateRm({ released })).toContain(`terraform state rm 'sakuracloud_sim.van["it'\\''s \\"33\\""]'\n`);
});

it('a manifest does nothing to a terminal, and is read as it was', () => {
  const displayName = '\u202etruck\u009b31m\u2028a: b\u{e0041}';
  const manifests = [
    { kind: 'Sim', name: 'truck', spec: { iccid: '8981', displayName }, from: [displayName] } as const,
  ];
  const text = renderManifests(manifests, { from: displayName, namespace: undefined });
  expect(isUnsafe(text.replaceAll('\n', ''))).toBe(false);
  const read = parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS());
  expect(read.map(({ spec }) => spec.displayName)).toEqual([displayName]);
});
