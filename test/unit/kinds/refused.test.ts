import { describe, expect, it } from 'vitest';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import { parseJson } from '../../../src/kubernetes/json.ts';
import { createApiserver } from '../../../src/shadow/apiserver/apiserver.ts';

const definitions = kindDefinitions.map(toCustomResourceDefinition);

/** What an apiserver has against a spec, as `kubectl apply` shows it; empty: it takes it. */
function refused(kind: 'Sim' | 'MobileGateway' | 'WebAccelSite', spec: object): string[] {
  const server = createApiserver({ now: () => 0, uid: () => 'uid', definitions });
  const answer = server.handle({
    method: 'POST',
    path: `/apis/edgeline.dev/v1alpha1/namespaces/default/${kind.toLowerCase()}s`,
    user: 'someone',
    body: JSON.stringify({ apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: { name: 'a' }, spec }),
  });
  if ('watch' in answer) throw new Error('a watch was begun');
  if (answer.status === 201) return [];
  const { details } = parseJson<{ details: { causes: { field: string; message: string }[] } }>(answer.body);
  return details.causes.map(({ field, message }) => `${field}: ${message}`);
}

describe('the length of the mask of a private network', () => {
  const rest = {
    staticRoutes: [{ prefix: '192.168.10.0/24', nextHop: '10.0.0.254' }],
    simRoutes: [{ prefix: '10.0.0.0/24', simRef: { name: 'truck-17' } }],
  };

  it.each([0, 7, 30, 32, 33, 99, -1])('is all that is refused where it is %i', (networkMaskLength) => {
    const privateInterface = { ipAddress: '10.0.0.1', networkMaskLength };
    expect(refused('MobileGateway', { zone: 'is1a', privateInterface, ...rest })).toEqual([
      expect.stringMatching(
        /^spec\.privateInterface\.networkMaskLength: .*should be (?:greater|less) than or equal to/,
      ),
    ]);
  });

  it.each([8, 29])('may be %i', (networkMaskLength) => {
    const privateInterface = { ipAddress: '10.0.0.1', networkMaskLength };
    expect(refused('MobileGateway', { zone: 'is1a', privateInterface })).toEqual([]);
  });
});

describe('the IMEI a SIM is locked to', () => {
  it.each(['35-693803-564381-7', '35 693803 564380 9', '12345678901234567', '35693803564380X', ''])(
    'is to be its digits alone, which "%s" is not',
    (imeiLock) => {
      expect(refused('Sim', { iccid: '8981040000000000017', imeiLock })).toEqual([
        expect.stringContaining('imeiLock must be the 14 to 16 digits of the device’s IMEI, in quotes'),
      ]);
    },
  );

  it('may be its digits', () => {
    expect(refused('Sim', { iccid: '8981040000000000017', imeiLock: '356938035643809' })).toEqual([]);
  });
});

describe('the zone of a gateway', () => {
  it.each(['IS1B', 'is1', 'Ishikari'])('is to be written in small letters, as "%s" is not', (zone) => {
    expect(refused('MobileGateway', { zone })).toEqual([
      expect.stringMatching(/^spec\.zone: .* in small letters, for example is1b$/),
    ]);
  });
});

describe('a name', () => {
  const specs = {
    Sim: { iccid: '8981040000000000017' },
    MobileGateway: { zone: 'is1b' },
    WebAccelSite: { domain: 'www.example.jp' },
  };
  const kinds = ['Sim', 'MobileGateway', 'WebAccelSite'] as const;
  const blank = expect.stringMatching(/^spec\.displayName: .*displayName is blank: write a name, or leave it out$/);

  it.each(kinds.flatMap((kind) => [' ', '   ', '\u3000', '\u00a0 '].map((name) => [kind, name] as const)))(
    'of a %s is to show something, which "%s" does not',
    (kind, displayName) => {
      expect(refused(kind, { ...specs[kind], displayName })).toEqual([blank]);
    },
  );

  it('that is no line, or empty, is told as that alone', () => {
    const ofSim = (displayName: string) => refused('Sim', { ...specs.Sim, displayName });
    expect(ofSim(' \n')).toEqual([expect.stringContaining('must be one line')]);
    expect(ofSim('')).toEqual([expect.stringContaining('should be at least 1 chars long')]);
  });

  it.each(kinds)('of a %s may have spaces in it', (kind) => {
    expect(refused(kind, { ...specs[kind], displayName: 'トラック\u300017 a' })).toEqual([]);
  });
});
