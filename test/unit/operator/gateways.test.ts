import { expect, test } from 'vitest';
import { AccountReason } from '../../../src/kinds/cloud-account/reasons.ts';
import { GatewayReason } from '../../../src/kinds/mobile-gateway/reasons.ts';
import type { MobileGateway } from '../../../src/kinds/mobile-gateway/schema.ts';
import type { Sim } from '../../../src/kinds/sim/schema.ts';
import { resolveGateway } from '../../../src/operator/gateways.ts';

const sim: Sim = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck', namespace: 'fleet', uid: 's', resourceVersion: '1' },
  spec: { iccid: '8981040000000000001', gatewayRef: { name: 'depot' } },
};

/** What a Sim finds whose gateway was available when it was last seen, and is not Synced for this reason. `uid`: of its status. */
function found(reason: string, uid = 'g', isOfAnother = false, stalled?: string) {
  return foundOf({ reason, uid, stalled }, isOfAnother);
}

/** `inEffect`: of the gateway, which has settings that are still to take effect; undefined: nobody knows. */
function foundPending(wanted: Network | undefined, inEffect: Network | undefined) {
  return foundOf({ reason: 'Conflict', uid: 'g', wanted, configPending: true }, false, inEffect);
}

type Network = { readonly ipAddress: string; readonly networkMaskLength: number };

function foundOf(
  {
    reason,
    uid,
    stalled,
    wanted,
    configPending,
  }: {
    readonly reason: string;
    readonly uid: string;
    readonly stalled?: string | undefined;
    readonly wanted?: Network | undefined;
    readonly configPending?: true;
  },
  isOfAnother: boolean,
  inEffect?: Network,
) {
  const at = { message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  const gateway: MobileGateway = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot', namespace: 'fleet', uid: 'g', resourceVersion: '1' },
    spec: { zone: 'is1a', ...(wanted && { privateInterface: wanted }) },
    status: {
      ...(configPending && { configPending }),
      uid,
      id: '113300000101',
      availability: 'available',
      conditions: [
        { type: 'Synced', status: 'False', reason, ...at },
        ...(stalled === undefined ? [] : [{ type: 'Stalled', status: 'True', reason: stalled, ...at } as const]),
      ],
    },
  };
  const users = { accountOf: () => 'CloudAccount/fleet/default' };
  const informers = { of: { MobileGateway: { get: () => gateway } } };
  const registry = { get: () => ({ identity: 'one' }) };
  const settingsInEffect = { privateInterfaceOf: () => inEffect };
  return resolveGateway(
    { informers, users, gateways: { isOfAnother: () => isOfAnother }, registry, settingsInEffect },
    sim,
  );
}

const hold = {
  state: 'Waiting',
  reason: 'GatewayNotReady',
  message: 'The MobileGateway depot is not ready for SIMs yet; see its conditions.',
  isProgress: true,
};

test('a Sim waits for a gateway that the account does not show, or shows as another', () => {
  const reasons = [
    AccountReason.ManyMissing,
    AccountReason.NotTheSame,
    GatewayReason.NotShownYet,
    GatewayReason.CreationAmbiguous,
    GatewayReason.AlreadyManaged,
    GatewayReason.MayBeAnothers,
    GatewayReason.ResourceIDNotFound,
  ];
  expect(reasons.map((reason) => found(reason))).toEqual(reasons.map(() => ({ hold })));
});

test('a Sim goes on a gateway that waits for something else', () => {
  expect(found('RouteWaitsForSim')).toEqual({ id: '113300000101', zone: 'is1a', inner: undefined });
});

test('a Sim waits for settings to take effect where they change the network, or may', () => {
  const [one, other] = ['10.0.0.1', '10.9.0.1'].map((ipAddress) => ({ ipAddress, networkMaskLength: 24 }));
  const on = (inner: Network | undefined) => ({ id: '113300000101', zone: 'is1a', inner });
  expect([
    foundPending(one, one),
    foundPending(undefined, one),
    foundPending(one, other),
    foundPending(one, undefined),
  ]).toEqual([on(one), on(undefined), { hold }, { hold }]);
});

test('a Sim does not go on the gateway that a status written for another MobileGateway names', () => {
  expect(found('RouteWaitsForSim', 'another')).toEqual({ hold });
});

test('a Sim does not go on the gateway of another MobileGateway that the status of its own names', () => {
  expect(found('RouteWaitsForSim', 'g', true)).toEqual({ hold });
});

test('a Sim that waits for a gateway which waits for a person says so', () => {
  expect(found(GatewayReason.AlreadyManaged, 'g', false, 'AlreadyManaged')).toEqual({
    hold: {
      state: 'Waiting',
      reason: 'GatewayNotReady',
      message:
        'The MobileGateway depot is not ready for SIMs, and waits for a person (AlreadyManaged): see its conditions.',
    },
  });
});
