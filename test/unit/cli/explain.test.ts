import { describe, expect, it } from 'vitest';
import { comparisonOf, fieldShown } from '../../../src/cli/explain/asked.ts';
import { approvedIn, askedIn, eventsOf } from '../../../src/cli/explain/read.ts';
import { explanationLines, explanationMarkdown } from '../../../src/cli/explain/render.ts';
import { explanationJson, explanationOf } from '../../../src/cli/explain/report.ts';
import { type KindName, kindOf } from '../../../src/cli/kinds.ts';
import { type Reported, standingOf } from '../../../src/cli/standing.ts';
import { widthOf } from '../../../src/cli/text/width.ts';
import { isUnsafe } from '../../../src/unsafe.ts';
import { condition, NOW, readyStatus, sim, waitingStatus } from './objects.ts';

const FILE = { columns: undefined, colours: false };

function of(
  kind: KindName,
  spec: Record<string, unknown>,
  applied: object,
  more: Record<string, unknown> = {},
): Reported {
  return { ...sim('x', { applied, ...more }), kind, spec };
}

describe('what a spec asks beside what was written', () => {
  it('of a name that can’t be changed, that it is not written', () => {
    const conditions = [
      condition('Ready', 'True', 'Available', 'The SIM is active.'),
      condition('Synced', 'False', 'DisplayNameNotChangeable', 'The SIM is named "a" at the service.'),
    ];
    const object = of('Sim', { iccid: '1', displayName: 'b', activated: true }, {}, { conditions });
    expect(comparisonOf('Sim', object, {})).toMatchObject([
      { field: 'displayName', difference: 'unchangeable' },
      { field: 'activated', difference: 'new' },
    ]);
    const renamable = of('Sim', { iccid: '1', displayName: 'b' }, {}, { conditions: conditions.slice(0, 1) });
    expect(comparisonOf('Sim', renamable, {})).toMatchObject([{ field: 'displayName', difference: 'new' }]);
  });

  it('by the name that a field has in the spec', () => {
    expect(['gateway', 'ipAddress'].map((field) => fieldShown({ field }))).toEqual(['gatewayRef', 'ipAddress']);
  });

  it('of a Sim, field by field', () => {
    const spec = {
      iccid: '1',
      activated: true,
      gatewayRef: { name: 'depot' },
      ipAddress: '10.0.0.18',
      carriers: [
        { name: 'SoftBank', allow: false },
        { name: 'KDDI', allow: true },
      ],
    };
    const applied = {
      displayName: 'old',
      imeiLock: '356938035643809',
      activated: true,
      gateway: { id: '113300000001', zone: 'is1b', simGroupID: '9' },
      ipAddress: '10.0.0.17',
      carriers: [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: false },
      ],
    };
    const object = of('Sim', spec, applied, { found: ['imeiLock'] });
    const gateway = '{id: 113300000001, zone: is1b, simGroupID: 9}';
    const carriers = '[{name: KDDI, allow: true}, {name: SoftBank, allow: false}]';
    expect(comparisonOf('Sim', object, { gatewayID: '113300000001' })).toEqual([
      { field: 'displayName', spec: undefined, applied: 'old', difference: 'removed', note: undefined },
      { field: 'activated', spec: 'true', applied: 'true', difference: 'same', note: undefined },
      { field: 'gateway', spec: gateway, applied: gateway, difference: 'same', note: undefined },
      { field: 'ipAddress', spec: '10.0.0.18', applied: '10.0.0.17', difference: 'changed', note: undefined },
      { field: 'imeiLock', spec: undefined, applied: '356938035643809', difference: 'kept', note: undefined },
      { field: 'carriers', spec: carriers, applied: carriers, difference: 'same', note: undefined },
    ]);
    const names = new Map([['113300000001', 'depot']]);
    expect(comparisonOf('Sim', object, { gatewayID: '113300000001', names })[2]).toMatchObject({
      spec: '{name: depot, id: 113300000001, zone: is1b, simGroupID: 9}',
      applied: '{name: depot, id: 113300000001, zone: is1b, simGroupID: 9}',
      difference: 'same',
    });
    expect(comparisonOf('Sim', object, { gatewayID: '113300000002' })[2]).toMatchObject({
      spec: '{id: 113300000002}',
      difference: 'changed',
    });
    expect(comparisonOf('Sim', object, {})[2]).toMatchObject({
      spec: 'depot',
      difference: 'unknown',
      note: 'the ID of MobileGateway depot is not known here',
    });
  });

  it.each<[string, { activated: boolean; action?: string; policy?: string }, unknown, string]>([
    ['stopped', { activated: false }, true, 'held'],
    ['stopped before its spec wanted it active', { activated: false }, false, 'held'],
    ['that is yet to be stopped', { activated: true }, true, 'same'],
    ['that is only warned of', { activated: false, action: 'Warn' }, true, 'same'],
    ['that is observed', { activated: false, policy: 'Observe' }, true, 'same'],
  ])('of a Sim over its data limit, %s', (_, { activated, action = 'Deactivate', policy }, written, difference) => {
    const spec = { activated: true, dataLimit: { monthly: '500Mi', action }, managementPolicy: policy };
    const dataLimit = { month: '2026-11', exceededAt: '2026-11-20T00:00:00Z', bytes: 1 };
    const object = of('Sim', spec, { activated: written, dataLimit: 'Deactivated' }, { activated, dataLimit });
    const [first, second] = comparisonOf('Sim', object, {});
    expect(first).toMatchObject({ field: 'activated', spec: 'true', applied: String(written), difference });
    expect(second).toMatchObject(
      action === 'Warn'
        ? { field: 'dataLimit', spec: undefined, difference: 'removed' }
        : { field: 'dataLimit', spec: '{monthly: 500Mi, action: Deactivate}', applied: 'Deactivated' },
    );
  });

  it('of a MobileGateway, with the Sims of its routes and without the URL of its webhook', () => {
    const spec = {
      zone: 'is1b',
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
      simRoutes: [{ prefix: '192.168.20.0/24', simRef: { name: 'gate' } }],
      trafficMonitoring: { quotaMB: 1024, chatWebhookSecretRef: { name: 'chat', key: 'url' } },
    };
    const applied = {
      privateInterface: { networkMaskLength: 24, ipAddress: '10.0.0.1' },
      simRoutes: [{ prefix: '192.168.20.0/24', resourceID: '7' }],
      trafficMonitoring: {
        quotaMB: 1024,
        autoTrafficShaping: false,
        email: false,
        chat: true,
        chatWebhookDigest: 'digest',
      },
    };
    const compared = comparisonOf('MobileGateway', of('MobileGateway', spec, applied), {
      simIDs: new Map([['gate', '7']]),
    });
    expect(compared.map(({ field, difference }) => [field, difference])).toEqual([
      ['privateInterface', 'same'],
      ['simRoutes', 'same'],
      ['trafficMonitoring', 'same'],
    ]);
  });

  it('of a WebAccelSite and a SiteCertificate, whose Secrets nobody reads', () => {
    const spec = {
      domain: 'www.example.jp',
      origin: {
        objectStorage: { bucket: 'b', endpoint: 'e', region: 'r', credentialsSecretRef: { name: 'bucket-keys' } },
      },
      cors: { allowedOrigins: ['https://b.example', 'https://a.example'] },
      accessControl: ['deny 192.0.2.0/24'],
    };
    const applied = {
      bucket: 'b',
      endpoint: 'e',
      region: 'r',
      originCredentials: 'digest',
      cors: { allowedOrigins: ['https://a.example', 'https://b.example'] },
      vary: true,
    };
    const compared = comparisonOf('WebAccelSite', of('WebAccelSite', spec, applied), {});
    expect(compared.map(({ field, difference }) => [field, difference])).toEqual([
      ['bucket', 'same'],
      ['endpoint', 'same'],
      ['region', 'same'],
      ['originCredentials', 'unknown'],
      ['vary', 'removed'],
      ['cors', 'same'],
      ['accessControl', 'new'],
    ]);
    const certificate = of('SiteCertificate', { secretRef: { name: 'www-tls' } }, { certificate: 'ab' });
    expect(comparisonOf('SiteCertificate', certificate, {})).toMatchObject([
      { field: 'certificate', spec: 'as in Secret www-tls', applied: 'ab', difference: 'unknown' },
      { field: 'chain', spec: 'as in Secret www-tls', applied: undefined, difference: 'new' },
    ]);
    expect(comparisonOf('CloudAccount', of('CloudAccount', {}, {}), {})).toEqual([]);
  });
});

const truck = sim(
  'truck-17',
  {
    ...waitingStatus,
    id: '113300000017',
    ownership: 'Created',
    accountRef: { kind: 'CloudAccount', name: 'default' },
    applied: { activated: true },
    drift: [{ field: 'activated', desired: 'true', observed: 'false' }],
  },
  { spec: { activated: true, ipAddress: '10.0.0.17' } },
);

const events = eventsOf([
  {
    ...sim('late', undefined),
    type: 'Warning',
    reason: 'GatewayNotFound',
    note: 'There is no MobileGateway depot.',
    eventTime: '2026-11-22T11:50:00.000000Z',
    series: { count: 3, lastObservedTime: '2026-11-22T11:59:00.000000Z' },
  },
  {
    ...sim('early', undefined),
    type: 'Normal',
    reason: 'Created',
    note: 'Registered the SIM.\u001b[2J',
    eventTime: '2026-11-22T11:30:00.000000Z',
  },
]);

const explanation = explanationOf({
  kind: 'Sim',
  object: truck,
  standing: standingOf(kindOf('Sim'), truck),
  presence: { state: 'Running', messages: [], unattended: [] },
  references: {},
  events,
});

it('explains an object in lines', () => {
  expect(explanationLines(explanation, FILE, NOW)).toEqual([
    'sim/truck-17 in namespace fleet: NotReady for 5m, waits for you',
    '  There is no MobileGateway depot in namespace fleet. Create it, or correct gatewayRef.',
    '',
    'What it is',
    '  ID at the service  113300000017',
    '  Ownership          Created',
    '  Account            CloudAccount/default',
    '',
    'Conditions',
    '  TYPE         STATUS  REASON           SINCE  GENERATION',
    '  Ready        False   GatewayNotFound  5m     2',
    '  Synced       False   GatewayNotFound  5m     2',
    '  Reconciling  True    GatewayNotFound  5m     2',
    '',
    'What the spec asks, and what was written last',
    '  FIELD      SPEC       WRITTEN  STATE',
    '  activated  true       true     written',
    '  ipAddress  10.0.0.17  -        to be written',
    '',
    'What the service has instead',
    '  FIELD      WANTED  FOUND',
    '  activated  true    false',
    '',
    'Recent events',
    '  30m  Normal   Created',
    '    Registered the SIM.\\u{1b}[2J',
    '  60s  Warning  GatewayNotFound (3 times)',
    '    There is no MobileGateway depot.',
    '',
    'What to do',
    '  Create the MobileGateway in the same namespace, or correct `gatewayRef`.',
  ]);
});

it.each([40, 79])('fits a terminal of %d columns, with colours', (columns) => {
  const lines = explanationLines(explanation, { columns, colours: false }, NOW);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
  const coloured = explanationLines(explanation, { columns, colours: true }, NOW).join('\n');
  expect(coloured).toContain('\u001b[31mNotReady\u001b[0m');
});

it('explains it as Markdown and as JSON', () => {
  const markdown = explanationMarkdown(explanation, NOW);
  expect(markdown).toContain('| activated | true | true | written |');
  expect(markdown).toContain('| 60s | Warning | GatewayNotFound (3 times) | There is no MobileGateway depot. |');
  expect(markdown.filter(isUnsafe)).toEqual([]);
  expect(explanationJson(explanation)).toMatchObject({
    apiVersion: 'cli.edgeline.dev/v1',
    kind: 'Explanation',
    object: { kind: 'Sim', namespace: 'fleet', name: 'truck-17', state: 'NotReady' },
    facts: { 'ID at the service': '113300000017', Ownership: 'Created', Account: 'CloudAccount/default' },
    conditions: [{ type: 'Ready', observedGeneration: 2 }, { type: 'Synced' }, { type: 'Reconciling' }],
    fields: [
      { field: 'activated', spec: 'true', applied: 'true', difference: 'same', note: null },
      { field: 'ipAddress', spec: '10.0.0.17', applied: null, difference: 'new', note: null },
    ],
    drift: [{ field: 'activated', desired: 'true', observed: 'false' }],
    events: [{ reason: 'Created' }, { reason: 'GatewayNotFound', count: 3, at: '2026-11-22T11:59:00.000000Z' }],
    next: ['Create the MobileGateway in the same namespace, or correct `gatewayRef`.'],
  });
});

it('has something to do for what is Ready and is warned of', () => {
  const message = 'The SIM is active. Warning: ipAddress 10.9.0.50 is outside the gateway’s network. Write another.';
  const conditions = [
    condition('Ready', 'True', 'Available', message),
    condition('Synced', 'True', 'Available', 'The service matches the spec.'),
  ];
  const object = sim('truck-17', { observedGeneration: 2, conditions });
  const presence = { state: 'Running', messages: [], unattended: [] } as const;
  const standing = standingOf(kindOf('Sim'), object);
  expect(explanationOf({ kind: 'Sim', object, standing, references: {}, events: [], presence }).next).toEqual([
    'See to the warning: ipAddress 10.9.0.50 is outside the gateway’s network. Write another.',
  ]);
});

it('has nothing to do for what is Ready, and says first that the operator is away', () => {
  const object = sim('truck-17', readyStatus);
  const read = {
    kind: 'Sim',
    object,
    standing: standingOf(kindOf('Sim'), object),
    references: {},
    events: [],
  } as const;
  const condition = { type: 'Ready', status: 'False', reason: 'CredentialsRejected', message: 'no' } as const;
  const account = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default', uid: 'a', resourceVersion: '1' },
    status: { conditions: [{ ...condition, lastTransitionTime: '2026-11-01T00:00:00Z' }] },
  } as const;
  const running = { state: 'Running', messages: [], unattended: [] } as const;
  expect(explanationOf({ ...read, presence: running, account }).next).toEqual([
    'See to the CloudAccount default: it is not Ready (CredentialsRejected) since 2026-11-01T00:00:00Z, so what is told here may be as it was then.',
  ]);
  expect(explanationOf({ ...read, presence: { state: 'Running', messages: [], unattended: [] } }).next).toEqual([
    'Nothing: it is Ready.',
  ]);
  expect(
    explanationOf({ ...read, presence: { state: 'NotRunning', messages: ['gone'], unattended: ['fleet'] } }).next,
  ).toEqual([
    'Have the operator run: nothing changes until it does (docs/troubleshooting.md, “Nothing happens at all”).',
  ]);
});

it('says what to do about a Sim that is Ready and silent', () => {
  const conditions = [
    ...(readyStatus?.conditions ?? []),
    {
      type: 'Online',
      status: 'False' as const,
      reason: 'Silent',
      message: '',
      lastTransitionTime: '2026-11-22T11:50:00Z',
    },
  ];
  const object = sim('truck-17', { ...readyStatus, conditions });
  const standing = standingOf(kindOf('Sim'), object);
  const presence = { state: 'Running', messages: [], unattended: [] } as const;
  expect(explanationOf({ kind: 'Sim', object, standing, presence, references: {}, events: [] }).next).toEqual([
    'See whether its device has power and reception; `kubectl edgeline sim logs` shows what befell its session.',
  ]);
});

it('announces no write for what is only observed', () => {
  const object = sim('truck-17', readyStatus, { spec: { managementPolicy: 'Observe', activated: true } });
  const standing = standingOf(kindOf('Sim'), object);
  const presence = { state: 'Running', messages: [], unattended: [] } as const;
  const observed = explanationOf({ kind: 'Sim', object, standing, presence, references: {}, events: [] });
  expect(observed.fields).toEqual([
    { field: 'activated', spec: 'true', applied: undefined, difference: 'observed', note: undefined },
  ]);
  expect(explanationLines(observed, FILE, NOW)).toContain('  activated  true  -        differs, only observed');
});

describe('of approvals, an explanation', () => {
  const HASH = '3f0c9a1b7d52e846';
  const fields = [{ field: 'activated', before: 'false', after: 'true' }];
  const pending = (observedGeneration: number) => [
    {
      type: 'Synced',
      status: 'False' as const,
      reason: 'ApprovalPending',
      message: '',
      lastTransitionTime: '2026-11-22T11:50:00Z',
      observedGeneration,
    },
  ];
  function explained(status: object, annotation?: { value: string; managedFields?: unknown }) {
    const { value, managedFields } = annotation ?? {};
    const object = sim('truck-17', {
      conditions: pending(2),
      plan: { hash: HASH, calls: [{ step: 'activate', fields }], continues: true },
      ...status,
    });
    const told = { cause: 'SpecChanged', approval: 'aaaaaaaaaaaaaaaa' };
    const last = approvedIn([
      {
        ...sim('e', undefined, { metadata: { annotations: { 'edgeline.dev/change': JSON.stringify(told) } } }),
        eventTime: '2026-11-22T11:00:00.000000Z',
      },
      { ...sim('f', undefined), eventTime: '2026-11-22T11:30:00.000000Z' },
    ]);
    const metadata = {
      ...object.metadata,
      generation: 2,
      ...(value !== undefined && { annotations: { 'edgeline.dev/approve': value } }),
      ...(managedFields !== undefined && { managedFields }),
    };
    const whole = { ...object, metadata };
    return explanationOf({
      kind: 'Sim',
      object: whole,
      standing: standingOf(kindOf('Sim'), whole),
      presence: { state: 'Running', messages: [], unattended: [] },
      references: {},
      events: [],
      approved: last,
      askedAt: asked,
    });
  }
  const asking = (name: string, hash: string, eventTime: string) => ({
    ...sim(name, undefined),
    reason: 'ApprovalPending',
    note: `1 call waits for approval: activate. Or set the annotation edgeline.dev/approve: "${hash}".`,
    eventTime,
  });
  const asked = askedIn(
    [
      asking('g', HASH, '2026-11-22T11:54:00.000000Z'),
      asking('h', HASH, '2026-11-22T11:52:00.000000Z'),
      asking('i', 'aaaaaaaaaaaaaaaa', '2026-11-22T11:50:00.000000Z'),
    ],
    HASH,
  );
  const section = (explanation: Parameters<typeof explanationLines>[0]) => {
    const lines = explanationLines(explanation, FILE, NOW);
    const start = lines.indexOf('Approval');
    return start < 0 ? [] : lines.slice(start + 1, lines.indexOf('', start));
  };

  it('shows what waits, which program wrote the annotation, and what was carried out last', () => {
    const owns = { 'f:metadata': { 'f:annotations': { 'f:edgeline.dev/approve': {} } } };
    const managedFields = [
      { manager: 'argocd', time: '2026-11-22T11:10:00Z', fieldsV1: owns },
      { manager: 'kubectl-annotate', time: '2026-11-22T11:58:00Z', fieldsV1: owns },
      { manager: 'edgeline', time: '2026-11-22T11:59:00Z', fieldsV1: { 'f:status': {} } },
    ];
    const explanation = explained({}, { value: 'aaaaaaaaaaaaaaaa', managedFields });
    expect(section(explanation)).toEqual([
      `  Waits             ${HASH}: 1 call, for 8m`,
      '  Annotation        aaaaaaaaaaaaaaaa, written by kubectl-annotate, 2m ago',
      '  Carried out last  aaaaaaaaaaaaaaaa, 60m ago',
      '  activate: activated: false → true',
      '  More is to be done after that, and will be asked for then.',
      '  The annotation is not the hash of the plan that waits.',
      '  Which person wrote the annotation, only the audit log of the cluster can tell.',
    ]);
    expect(explanationJson(explanation)).toMatchObject({
      approval: {
        waits: { hash: HASH, continues: true, since: '2026-11-22T11:52:00.000000Z', outdated: false },
        annotation: { value: 'aaaaaaaaaaaaaaaa', manager: 'kubectl-annotate', at: '2026-11-22T11:58:00Z' },
        underWay: null,
        last: { hash: 'aaaaaaaaaaaaaaaa', at: '2026-11-22T11:00:00.000000Z' },
      },
    });
  });

  it('says what is left of a plan that is carried out, and when the spec has changed since', () => {
    const approval = { hash: HASH, calls: ['x', 'y'] };
    expect(section(explained({ conditions: [], approval }))).toContain(`  Being carried out  ${HASH}: 2 calls left`);
    expect(section(explained({ conditions: pending(1) }))).toContain(
      '  The spec has changed since: another plan is about to be asked for.',
    );
  });

  it('says nothing where nothing was ever to be approved, and nothing of what a stranger spoilt breaks it', () => {
    expect(explanationLines(explanation, FILE, NOW)).not.toContain('Approval');
    expect(explanationJson(explanation)).toMatchObject({ approval: null });
    expect(
      section(explained({ approval: 7, plan: 'x' }, { value: '\u001b[2J', managedFields: [null, 'x'] })),
    ).toContain('  Annotation        \\u{1b}[2J');
  });
});
