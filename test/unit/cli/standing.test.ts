import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../../src/cli/advice.ts';
import { kindOf, kinds } from '../../../src/cli/kinds.ts';
import { type Reported, standingOf } from '../../../src/cli/standing.ts';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import type { GatewayFacts, WaitingRoute } from '../../../src/kinds/mobile-gateway/facts.ts';
import { planSimRoutes } from '../../../src/kinds/mobile-gateway/routes.ts';
import { queuedStatus } from '../../../src/operator/report-queued.ts';
import { holdUnclear } from '../../../src/reconcile/absence.ts';
import { holdContested } from '../../../src/reconcile/contention.ts';
import type { Hold } from '../../../src/reconcile/plan.ts';
import { holdForHour } from '../../../src/reconcile/queued.ts';
import { judge } from '../../../src/reconcile/verdict.ts';
import { partial } from '../../support/partial.ts';
import { condition, NOW, readyStatus, sim, waitingStatus } from './objects.ts';

const SIM = kindOf('Sim');
/** The status of an object that is held so. */
function statusOf(hold: Hold<string>): Reported['status'] {
  const verdicts = judge({ mode: 'Manage', unsettled: false, drift: [], hold, readyMessage: '', deleting: false });
  const conditions = verdicts.map(({ type, status, reason, message }) => condition(type, status, reason, message));
  return { observedGeneration: 2, conditions };
}

const of = (...parameters: Parameters<typeof sim>) => standingOf(SIM, sim(...parameters));

describe('the standing of an object', () => {
  it('is Ready as its conditions say', () => {
    expect(of('truck-17', readyStatus)).toEqual({
      kind: 'Sim',
      namespace: 'fleet',
      name: 'truck-17',
      state: 'Ready',
      reason: 'Available',
      message: 'The SIM is active.',
      since: '2026-11-22T11:55:00Z',
      waiting: undefined,
      advice: 'Nothing.',
      generation: 2,
      observedGeneration: 2,
    });
  });

  it('is NotReady with reason, message, since when, for whom it waits and what to do', () => {
    expect(of('truck-17', waitingStatus)).toMatchObject({
      state: 'NotReady',
      reason: 'GatewayNotFound',
      message: 'There is no MobileGateway depot in namespace fleet. Create it, or correct gatewayRef.',
      since: '2026-11-22T11:55:00Z',
      waiting: { for: 'person' },
      advice: 'Create the MobileGateway in the same namespace, or correct `gatewayRef`.',
    });
  });

  it.each([
    'PassCodeKeyMissing',
    'CredentialsRejected',
    'AccountNotFound',
    'SiteNotFound',
    'AccountFull',
    'AddressTaken',
    'InUse',
    'SimsStillRegistered',
  ])('waits for a person who has to make, put right or delete something: %s', (reason) => {
    const conditions = ['Ready', 'Synced', 'Reconciling'].map((type) =>
      condition(type, type === 'Reconciling' ? 'True' : 'False', reason, 'Something is wrong with the Secret.'),
    );
    expect(of('truck-17', { observedGeneration: 2, conditions })).toMatchObject({ waiting: { for: 'person' } });
  });

  it.each([
    [
      'Sim',
      'GatewayNotReady',
      'The MobileGateway depot is being deleted, which waits until no Sim is there.',
      'person',
    ],
    ['Sim', 'GatewayNotReady', 'The MobileGateway depot is not ready for SIMs yet; see its conditions.', 'operator'],
    ['Sim', 'GatewayNotReady', 'The MobileGateway depot is not ready for SIMs, and waits for a person (x).', 'person'],
    [
      'MobileGateway',
      'AccountNotReady',
      'None can be made there any more, and only letting go is left: do it.',
      'person',
    ],
    ['MobileGateway', 'AccountNotReady', 'The CloudAccount default is not ready yet.', 'operator'],
    [
      'CloudAccount',
      'ServiceUnavailable',
      'No answer: its certificate is not trusted. Put it into a Secret.',
      'person',
    ],
    ['CloudAccount', 'SecretNotFound', 'There is no Secret.', 'person'],
    ['SiteCertificate', 'SecretNotFound', 'There is no Secret yet.', 'operator'],
  ] as const)('of a %s that says %s, %s waits for the %s', (kind, reason, message, who) => {
    const conditions = ['Ready', 'Synced', 'Reconciling'].map((type) =>
      condition(type, type === 'Reconciling' ? 'True' : 'False', reason, message),
    );
    const object = { ...sim('one', { observedGeneration: 2, conditions }), kind };
    expect(standingOf(kindOf(kind), object)).toMatchObject({ waiting: { for: who } });
  });

  it.each<[string, Partial<WaitingRoute>, 'operator' | 'person']>([
    ['does not exist', {}, 'person'],
    ['names another gateway', { iccid: '8981040000000000017', isMeantElsewhere: true }, 'person'],
    ['is being registered', { iccid: '8981040000000000017', isMeantElsewhere: false }, 'operator'],
  ])('of a route whose Sim %s, waits as its message says', (_, route, who) => {
    const waiting = [{ prefix: '192.168.20.0/24', sim: 'truck-17', ...route }];
    const { hold } = planSimRoutes(
      partial<GatewayFacts>({
        details: {},
        desired: partial<GatewayFacts['desired']>({
          spec: { zone: 'is1a', simRoutes: [{ prefix: '192.168.20.0/24', simRef: { name: 'truck-17' } }] },
          simRoutes: { resolved: [], waiting },
        }),
      }),
    );
    const gateway = { ...sim('depot', hold && statusOf(hold)), kind: 'MobileGateway' };
    expect(standingOf(kindOf('MobileGateway'), gateway)).toMatchObject({
      reason: 'RouteWaitsForSim',
      waiting: { for: who },
    });
  });

  it('is not Ready alone where an account holds what is too much at once, and waits for a person', () => {
    const account = sim('default', {
      observedGeneration: 2,
      conditions: [
        condition('Ready', 'True', 'Verified', 'The service accepts the credentials.'),
        condition('Braked', 'True', 'DeletionsHeld', '12 of the 40 are to be deleted.'),
      ],
    });
    expect(standingOf(kindOf('CloudAccount'), account)).toMatchObject({
      state: 'NotSynced',
      reason: 'DeletionsHeld',
      message: '12 of the 40 are to be deleted.',
      waiting: { for: 'person' },
      advice: expect.stringContaining('let go with the command in the message'),
    });
  });

  it('says so where the operator has not seen it', () => {
    const unseen = {
      state: 'NotSeen',
      reason: '',
      message: 'The operator has not said anything about it.',
      since: '2026-11-22T11:00:00Z',
      waiting: { for: 'operator' },
    };
    expect(of('truck-17', undefined)).toMatchObject(unseen);
    expect(of('truck-17', { observedGeneration: -1 })).toMatchObject(unseen);
    expect(of('truck-17', { observedGeneration: 2, conditions: [] })).toMatchObject(unseen);
  });

  it('is never Ready by a status of an older generation', () => {
    expect(of('truck-17', { ...readyStatus, observedGeneration: 1 })).toMatchObject({
      state: 'Outdated',
      since: undefined,
      message:
        'The spec is generation 2, and the operator has not said anything about it since generation 1; then: Ready=True, Available.',
    });
  });

  it('is Changing where what works is of an older generation', () => {
    const status = {
      observedGeneration: 2,
      conditions: [
        condition('Ready', 'True', 'Available', 'The SIM is active.', 1),
        condition('Synced', 'False', 'Queued', 'The change waits for its turn.'),
        condition('Reconciling', 'True', 'Queued', 'The change waits for its turn.'),
      ],
    };
    expect(of('truck-17', status)).toMatchObject({
      state: 'Changing',
      reason: 'Queued',
      message: 'The change waits for its turn.',
      waiting: { for: 'operator' },
    });
  });

  it('is NotSynced where it works and the service differs', () => {
    const status = {
      observedGeneration: 2,
      conditions: [
        condition('Ready', 'True', 'Available', 'The SIM is active.'),
        condition('Synced', 'False', 'Contested', 'Something else keeps changing activated.'),
      ],
    };
    expect(of('truck-17', status)).toMatchObject({
      state: 'NotSynced',
      reason: 'Contested',
      waiting: { for: 'person' },
    });
  });

  it('is Deleting with what the deletion waits for, and says where nobody has begun', () => {
    const going = { metadata: { deletionTimestamp: '2026-11-22T11:58:00Z' } };
    expect(of('truck-17', waitingStatus, going)).toMatchObject({
      state: 'Deleting',
      reason: 'GatewayNotFound',
      since: '2026-11-22T11:58:00Z',
    });
    expect(of('truck-17', { ...readyStatus, observedGeneration: 1 }, going)).toMatchObject({
      state: 'Deleting',
      message: 'It is to be deleted, and the operator has not said anything since.',
    });
  });

  it('waits for a person where it is Stalled', () => {
    const hold = { state: 'Stalled', reason: 'PassCodeRequired', message: 'The account has no such SIM.' } as const;
    expect(of('truck-17', statusOf(hold))).toMatchObject({ waiting: { for: 'person' } });
  });
});

describe('what it waits for is read from what the operator writes', () => {
  const queued = (before: number) => {
    const { observedGeneration = 0, conditions = [] } = queuedStatus(2, { before, seconds: 60 }, NOW);
    return of('truck-17', { observedGeneration, conditions });
  };

  it('how many are before it, and about when its turn comes', () => {
    const until = '2026-11-22T12:01:00Z';
    expect(queued(12).waiting).toEqual({ for: 'operator', others: 12, until });
    expect(queued(1).waiting).toEqual({ for: 'operator', others: 1, until });
    expect(queued(0).waiting).toEqual({ for: 'operator', until });
  });

  it.each([
    [
      'the hour',
      holdForHour(
        {
          used: 500,
          limit: 500,
          most: 500,
          reads: 450,
          rest: 'nobody',
          opensAt: NOW + 60_000,
          closedUntil: NOW + 60_000,
        },
        NOW,
      ),
    ],
    [
      'a creation whose outcome is unknown',
      holdUnclear('the gateway "depot"', {
        deleting: false,
        shownFrom: { monotonic: 0, wall: NOW + 60_000 },
        now: NOW,
      }),
    ],
    ['drift that somebody causes again and again', holdContested(['activated'], 5, 60_000, NOW)],
  ])('when %s ends', (_name, hold) => {
    const { reason, message } = hold ?? { reason: '', message: '' };
    const conditions = [
      condition('Ready', 'False', reason, message),
      condition('Reconciling', 'True', reason, message),
    ];
    expect(of('truck-17', { observedGeneration: 2, conditions })).toMatchObject({
      waiting: { for: 'operator', until: '2026-11-22T12:01:00Z' },
    });
  });
});

describe('names and advice', () => {
  it('are those of the kinds there are', () => {
    const facts = kinds.map(({ kind, plural, singular, namespaced }) => ({ kind, plural, singular, namespaced }));
    expect(facts).toEqual(
      kindDefinitions.map(({ kind, plural, singular, scope }) => ({
        kind,
        plural,
        singular,
        namespaced: scope === 'Namespaced',
      })),
    );
  });

  it('differ by kind where the reasons do', () => {
    expect(adviceFor('WebAccelSite', 'SiteNotFound')).toContain('control panel');
    expect(adviceFor('SiteCertificate', 'SiteNotFound')).toContain('siteRef');
    expect(adviceFor('Sim', 'AccountNotFound')).toContain('Create the account');
    expect(adviceFor('ClusterCloudAccount', 'SecretNotFound')).toContain('credentialsSecretRef');
    expect(adviceFor('Sim', 'constructor')).toBeUndefined();
  });
});
