import { ConflictError, NotFoundError, RejectedError } from '../../cloud/errors.ts';
import { refusedAdvice } from '../../cloud/http/answer-errors.ts';
import type { Claims } from '../../reconcile/claims.ts';
import type { Created, Pass, StepResult } from '../../reconcile/kind.ts';
import type { CreateStep } from '../../reconcile/plan.ts';
import type { CarrierDetails } from './details.ts';
import type { GatewayAddress } from './facts.ts';
import type { Sim, SimMark } from './schema.ts';
import type { SimStep } from './steps.ts';

/** Registers the SIM (`api.md`, SIM operations). */
export async function createSim(
  step: CreateStep<SimStep>,
  pass: Pass<Sim>,
  claims: Claims<Sim>,
): Promise<Created<Sim, SimMark>> {
  const { name, iccid, passCode } = step;
  const sim = { name, iccid, passCode: passCode.reveal() };
  const { id, createdAt } = await pass.session.client.sims.create(sim, pass.call('write'));
  // Others see it in a list at once, and the status tells whose it is a moment later.
  claims.claim(pass.object, { id, createdAt }, pass.session, []);
  return { id };
}

/** Does one call about the SIM with this ID (`api.md`, SIM operations and Mobile gateway operations). */
export async function actOnSim(
  step: Exclude<SimStep, CreateStep<SimStep>>,
  id: string,
  pass: Pass<Sim>,
  details: CarrierDetails,
): Promise<StepResult<Sim, SimMark>> {
  const { client } = pass.session;
  const call = pass.call('write');
  switch (step.do) {
    case 'rename':
      await client.sims.rename(id, { name: step.name }, call);
      return {};
    case 'setCarriers':
      details.forget(pass.object, id);
      await client.sims.setCarriers(id, step.carriers, call).catch((error: unknown) => {
        throw explainCarriers(error, step);
      });
      details.learn(pass.object, id, { source: 'answered', value: step.carriers });
      return {};
    case 'activate':
      await client.sims.activate(id, call);
      return {};
    case 'deactivate':
      await client.sims.deactivate(id, call);
      return {};
    case 'clearIP':
      await client.sims.clearIP(id, call);
      return {};
    case 'unregister':
      await client.gateways.unregisterSim(step.gateway.zone, step.gateway.id, id, call);
      return {};
    case 'register':
      await client.gateways.registerSim(step.gateway.zone, step.gateway.id, id, call).catch((error: unknown) => {
        if (error instanceof NotFoundError) lookForGateway(pass, step.gateway);
        throw error;
      });
      return {};
    case 'setIP':
      await client.sims.setIP(id, step.ip, call).catch((error: unknown) => {
        throw explainTaken(error, step.ip, step.holder);
      });
      return {};
    case 'lockIMEI':
      await client.sims.lockIMEI(id, step.imei, call);
      return {};
    case 'unlockIMEI':
      await client.sims.unlockIMEI(id, call);
      return {};
    case 'noteReconnect':
      return {};
    case 'reconnect':
      await client.sims.reconnect(id, call);
      return { marks: { lastHandledReconnectAt: step.at } };
    case 'delete':
      await client.sims.delete(id, call);
      return {};
  }
}

/** A gateway that is not there is news to its MobileGateway, too, which tells Sims to wait: its list is read now. */
function lookForGateway({ session, call }: Pass<Sim>, { zone }: GatewayAddress): void {
  const list = session.gateways(zone);
  const seenAt = list.snapshot()?.startedAt ?? Number.NEGATIVE_INFINITY;
  const { turn, party } = call('verify');
  // Who waits for the list deals with its failures.
  list.observeAfter(seenAt, undefined, turn, party).catch(() => undefined);
}

/** Which Sim it is that keeps the address: the service knows only SIMs, if it says so much. */
function explainTaken(error: unknown, ip: string, holder: string | undefined): unknown {
  if (!(error instanceof ConflictError) || holder === undefined) return error;
  return new ConflictError(
    error.message,
    `${ip} is the address of ${holder}, and nothing moves that one: give one of the two another address. It is tried again.`,
    { ...error.details(), because: 'AddressTaken' },
  );
}

/** The service speaks of the list that it was sent, of which the spec names a part. */
function explainCarriers(error: unknown, { carriers, unshown }: SimStep & { readonly do: 'setCarriers' }): unknown {
  const shown = carriers.map(({ name }) => name).filter((name) => !unshown.includes(name));
  if (!(error instanceof RejectedError) || unshown.length === 0 || shown.length === 0) return error;
  return new RejectedError(
    error.message,
    refusedAdvice(`spec.carriers, of which the SIM does not show ${unshown.join(', ')}, but ${shown.join(', ')}`),
    error.details(),
  );
}

/** The step in the past tense. */
export function describeSimStep(step: SimStep): string {
  switch (step.do) {
    case 'create':
      return `created the SIM as "${step.name}"`;
    case 'rename':
      return `renamed it "${step.name}"`;
    case 'setCarriers':
      return `set the carriers ${step.carriers.map(({ name, allow }) => `${name} ${allow ? 'allowed' : 'not allowed'}`).join(', ')}`;
    case 'activate':
      return 'activated it';
    case 'deactivate':
      return 'deactivated it';
    case 'clearIP':
      return 'cleared its IP address';
    case 'unregister':
      return `unregistered it from gateway ${step.gateway.id}`;
    case 'register':
      return `registered it with gateway ${step.gateway.id}`;
    case 'setIP':
      return `set its IP address to ${step.ip}`;
    case 'lockIMEI':
      return `locked it to IMEI ${step.imei}`;
    case 'unlockIMEI':
      return 'unlocked its IMEI';
    case 'noteReconnect':
      return 'noted a reconnect asked for before, without carrying it out';
    case 'reconnect':
      return 'reconnected its session';
    case 'delete':
      return 'deleted the SIM';
  }
}
