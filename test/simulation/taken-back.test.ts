import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { GROUP, GW, gateway, letPass, MGW, OTHER, on, SECOND, SIM, theGateway } from './gateway-fleet.ts';

/** What was refused, or never sent, is not the resource's: taking it out of the spec leaves what others have set. */
it('an address set by hand stays when an address that was refused leaves the spec (no fault)', async () => {
  const two = { id: '113300003002', iccid: iccidOf(2), name: 'two', activated: true };
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW], sims: [SIM, two] } } });
  fleet.world.service.edit({
    sims: { [SIM.id]: { gatewayID: GW.id, ip: '10.0.0.21' }, [two.id]: { gatewayID: GW.id, ip: '10.0.0.22' } },
  });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  fleet.createSim('fleet', 'one', 1, { gatewayRef: { name: 'depot' } });
  await letPass(fleet, 300);
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: '10.0.0.22' } });
  await letPass(fleet, 20);
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: null } });
  await letPass(fleet, 600);
  expect(fleet.world.service.world('fleet').sims.get(SIM.id)?.ip).toBe('10.0.0.21');
});

it('traffic monitoring set by hand stays when one with a webhook that is no URL leaves the spec (no fault)', async () => {
  const fleet = createVirtualFleet({
    seeds: { fleet: { gateways: [{ ...GW, trafficMonitoring: { quotaMB: 500, email: true } }] } },
  });
  fleet.world.start('operator');
  fleet.create('/api/v1/namespaces/fleet/secrets', {
    metadata: { name: 'hook' },
    data: { url: Buffer.from('notaurl').toString('base64') },
  });
  gateway(fleet, 'depot', { resourceID: GW.id });
  await letPass(fleet, 120);
  fleet.patch(`${MGW}/depot`, {
    spec: { trafficMonitoring: { quotaMB: 100, chatWebhookSecretRef: { name: 'hook', key: 'url' } } },
  });
  await letPass(fleet, 60);
  fleet.patch(`${MGW}/depot`, { spec: { trafficMonitoring: null } });
  await letPass(fleet, 600);
  expect(theGateway(fleet)?.trafficMonitoring?.quotaMB).toBe(500);
});

it('the private network of a gateway in use stays when another, refused by 409, leaves the spec', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW] } } });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  await letPass(fleet, 120);
  fleet.world.arm({ to: 'service', fits: on('PUT /appliance/:id'), count: 3, fault: { service: 'conflict' } });
  fleet.patch(`${MGW}/depot`, { spec: { privateInterface: { ipAddress: '10.9.0.1', networkMaskLength: 24 } } });
  await letPass(fleet, 1.5);
  fleet.patch(`${MGW}/depot`, { spec: { privateInterface: null } });
  await letPass(fleet, 600);
  expect(theGateway(fleet)?.applied?.privateInterface?.ipAddress).toBe('10.0.0.1');
});

it('a SIM stays on the gateway where it was put by hand when a move, refused by 409, leaves the spec', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW, OTHER], sims: [SIM] } } });
  fleet.world.service.edit({ sims: { [SIM.id]: { gatewayID: GW.id, ip: '10.0.0.21' } } });
  fleet.world.start('operator');
  gateway(fleet, 'other', { resourceID: OTHER.id });
  fleet.createSim('fleet', 'one', 1, {});
  await letPass(fleet, 300);
  fleet.world.arm({
    to: 'service',
    fits: on('DELETE /commonserviceitem/:id/sim/ip'),
    count: 3,
    fault: { service: 'conflict' },
  });
  fleet.patch(`${GROUP}/sims/one`, { spec: { gatewayRef: { name: 'other' } } });
  await letPass(fleet, 2);
  fleet.patch(`${GROUP}/sims/one`, { spec: { gatewayRef: null } });
  await letPass(fleet, 600);
  const { gatewayID, ip } = fleet.world.service.world('fleet').sims.get(SIM.id) ?? {};
  expect([gatewayID, ip]).toEqual([GW.id, '10.0.0.21']);
});

it('a mistake that is taken back while its writes wait for their turn is not carried out (no fault)', async () => {
  const sims = Array.from({ length: 30 }, (_, n) => ({
    id: String(113300003000 + n),
    iccid: iccidOf(n),
    name: `s-${n}`,
    activated: true,
  }));
  const fleet = createVirtualFleet({ seeds: { fleet: { sims } }, limits: { cloudRequestsPerSecond: 1 } });
  fleet.world.start('operator');
  for (let n = 0; n < 30; n++) fleet.createSim('fleet', `s-${n}`, n, {});
  await letPass(fleet, 300);
  let sent = 0;
  fleet.world.onMessage(
    (m, message) => void (m === 'written' && on('PUT /commonserviceitem/:id/sim/deactivate')(message) && sent++),
  );
  for (let n = 0; n < 30; n++) fleet.patch(`${GROUP}/sims/s-${n}`, { spec: { activated: false } });
  await letPass(fleet, 3);
  const before = sent;
  for (let n = 0; n < 30; n++) fleet.patch(`${GROUP}/sims/s-${n}`, { spec: { activated: null } });
  await letPass(fleet, 900);
  expect(sent - before).toBeLessThanOrEqual(1);
});

it.each(['sims/one', 'mobilegateways/depot'])(
  'what is taken back before anything was sent is not unset (no fault): %s',
  async (path) => {
    const fleet = createVirtualFleet({
      seeds: { fleet: { gateways: [GW], sims: [{ ...SIM, imeiLock: '490154203237518' }] } },
    });
    fleet.world.start('operator');
    gateway(fleet, 'depot', { resourceID: GW.id });
    fleet.createSim('fleet', 'one', 1, {});
    await letPass(fleet, 120);
    const [plural = ''] = path.split('/');
    const [field, value] = plural === 'sims' ? ['imeiLock', '356938035643809'] : ['internetConnection', false];
    const writes: string[] = [];
    fleet.world.onMessage(
      (m, { to, verb, route }) => void (m === 'written' && to === 'service' && verb !== 'GET' && writes.push(route)),
    );
    atFirst(
      fleet.world,
      'written',
      ({ route, body }) => route === `patch ${plural}/status` && body?.includes('pending') === true,
      () => fleet.patch(`${GROUP}/${path}`, { spec: { [field]: null } }),
    );
    fleet.patch(`${GROUP}/${path}`, { spec: { [field]: value } });
    await letPass(fleet, 600);
    expect(writes).toEqual([]);
  },
);

it('what was rejected stays what others have set after a restart, too', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW], sims: [SIM] } } });
  fleet.world.service.edit({ sims: { [SIM.id]: { gatewayID: GW.id, ip: '10.0.0.21' } } });
  const operator = fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  fleet.createSim('fleet', 'one', 1, { gatewayRef: { name: 'depot' } });
  await letPass(fleet, 300);
  fleet.world.arm({
    to: 'service',
    fits: on('PUT /commonserviceitem/:id/sim/ip'),
    count: 1000,
    fault: { service: 'forbidden' },
  });
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: '10.0.0.22' } });
  await letPass(fleet, 60);
  operator.kill(5 * SECOND);
  await letPass(fleet, 20);
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: null } });
  await letPass(fleet, 600);
  const { ip } = fleet.world.service.world('fleet').sims.get(SIM.id) ?? {};
  expect([ip, fleet.waiting('fleet').size]).toEqual(['10.0.0.21', 0]);
});

it.each([
  ['taken out of the spec, and its un-setting refused', null],
  ['changed in the spec, which is refused, and taken out then', '10.0.0.23'],
])('what was written before a crash is un-set though it was %s', async (_, then) => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW], sims: [SIM] } } });
  fleet.world.service.edit({ sims: { [SIM.id]: { gatewayID: GW.id } } });
  const operator = fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  fleet.createSim('fleet', 'one', 1, { gatewayRef: { name: 'depot' } });
  await letPass(fleet, 300);
  const isWritten = atFirst(fleet.world, 'arrived', on('PUT /commonserviceitem/:id/sim/ip'), () =>
    operator.kill(60 * SECOND),
  );
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: '10.0.0.22' } });
  await letPass(fleet, 20, isWritten);
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: then } });
  const fits = (message: Message) => message.to === 'service' && message.route.endsWith('/sim/ip');
  fleet.world.arm({ to: 'service', fits, count: 1000, fault: { service: 'conflict' } });
  await letPass(fleet, 1500);
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: null } });
  fleet.world.calm();
  await letPass(fleet, 900);
  const { ip } = fleet.world.service.world('fleet').sims.get(SIM.id) ?? {};
  expect([isWritten(), ip, fleet.waiting('fleet').size]).toEqual([true, null, 0]);
});

it('what was carried out without an answer is un-set though the token was refused before it was tried again', async () => {
  const other = { id: '113300003002', iccid: iccidOf(2), name: 'two', activated: true };
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW], sims: [SIM, other] } } });
  fleet.world.service.edit({ sims: { [SIM.id]: { gatewayID: GW.id } } });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  fleet.createSim('fleet', 'one', 1, { gatewayRef: { name: 'depot' } });
  fleet.createSim('fleet', 'two', 2);
  await letPass(fleet, 300);
  const fits = on('PUT /commonserviceitem/:id/sim/ip');
  fleet.world.arm({ to: 'service', fits, count: 1, fault: { service: 'internal error after' } });
  const isCarriedOut = atFirst(fleet.world, 'arrived', fits, () => {
    fleet.patch(`${GROUP}/sims/two`, { spec: { activated: false } });
  });
  const isOther = on('PUT /commonserviceitem/:id/sim/deactivate');
  fleet.world.arm({ to: 'service', fits: isOther, count: 1, fault: { service: 'unauthorized' } });
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: '10.0.0.22' } });
  await letPass(fleet, 10, isCarriedOut);
  await letPass(fleet, 10);
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: null } });
  await letPass(fleet, 900);
  const { ip } = fleet.world.service.world('fleet').sims.get(SIM.id) ?? {};
  expect([isCarriedOut(), ip]).toEqual([true, null]);
});

it('what is refused again and again costs no write of the status', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways: [GW], sims: [SIM] } } });
  fleet.world.start('operator');
  gateway(fleet, 'depot', { resourceID: GW.id });
  fleet.createSim('fleet', 'one', 1, { gatewayRef: { name: 'depot' } });
  await letPass(fleet, 300);
  const fits = on('PUT /commonserviceitem/:id/sim/ip');
  fleet.world.arm({ to: 'service', fits, count: 1000, fault: { service: 'conflict' } });
  fleet.patch(`${GROUP}/sims/one`, { spec: { ipAddress: '10.0.0.22' } });
  await letPass(fleet, 600);
  const seen: string[] = [];
  fleet.world.onMessage((moment, message) => {
    if (moment === 'written' && (fits(message) || message.route === 'patch sims/status')) seen.push(message.route);
  });
  await letPass(fleet, 3600);
  expect([new Set(seen), seen.length > 5]).toEqual([new Set(['PUT /commonserviceitem/:id/sim/ip']), true]);
});
