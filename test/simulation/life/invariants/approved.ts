import type { Change } from '../../../../src/shadow/service/types.ts';
import type { Incarnation } from '../intent.ts';
import { listAt, textAt } from '../json.ts';
import { isByOperator, nameOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What a plan calls each write of a Sim's (docs/reference/changes.md); others need no approval. */
const steps: Readonly<Record<string, string>> = {
  'POST /commonserviceitem': 'create',
  'PUT /commonserviceitem/:id': 'rename',
  'PUT /commonserviceitem/:id/sim/activate': 'activate',
  'PUT /commonserviceitem/:id/sim/deactivate': 'deactivate',
  'PUT /commonserviceitem/:id/sim/imeilock': 'lockIMEI',
  'DELETE /commonserviceitem/:id/sim/imeilock': 'unlockIMEI',
  'PUT /commonserviceitem/:id/sim/ip': 'setIP',
  'DELETE /commonserviceitem/:id/sim/ip': 'clearIP',
  'PUT /commonserviceitem/:id/sim/network_operator_config': 'setCarriers',
  'DELETE /commonserviceitem/:id': 'delete',
};

/**
 * Nothing is written for a Sim of which everything has to be approved but what a person approved: a call of a plan that the
 * Sim showed, and whose hash its annotation had when the process last saw it. And each call of a plan once, unless a process
 * ended in between, which leaves nobody who knows that it was made; one that got no answer is tried again, and may arrive after
 * that.
 */
export const approved: AlwaysInvariant = {
  name: 'approved',
  watch(scene, say) {
    /** The calls of each plan that was shown, by UID and hash. */
    const shown = new Map<string, readonly string[]>();
    /** The same as it was shown. */
    const told = new Map<string, string>();
    /** When each was carried out, and which message did it, by UID, hash and step. */
    const done = new Map<string, { readonly at: number; readonly serial: number }[]>();
    const answered = new Set<number>();
    return {
      message(moment, { serial }) {
        if (moment === 'answered') answered.add(serial);
      },
      stored({ new: object }) {
        const hash = textAt(object, 'status', 'plan', 'hash');
        if (!object || hash === undefined) return;
        const all = listAt(object, 'status', 'plan', 'calls');
        const key = `${object.metadata.uid} ${hash}`;
        const text = JSON.stringify(all);
        if (told.has(key) && told.get(key) !== text)
          say(`${object.metadata.name} shows two plans with the hash ${hash}`);
        told.set(key, text);
        shown.set(
          key,
          all.map((call) => textAt(call, 'step') ?? ''),
        );
      },
      changed(change) {
        const step = steps[change.route];
        const { cause } = scene;
        if (!isByOperator(change) || step === undefined || !cause || cause.isSecond) return;
        const one = subjectOf(scene, change);
        const versions = one ? scene.intent.versionsOf(one, cause.seenUntil) : [];
        if (!one || versions.length === 0) return;
        if (!versions.every(({ spec }) => spec['managementPolicy'] === 'Approve')) return;
        const hashes = versions.flatMap(({ annotations }) => annotations['edgeline.dev/approve'] ?? []);
        const plans = hashes.filter((hash) => shown.get(`${one.uid} ${hash}`)?.includes(step));
        const [hash] = plans;
        if (hash === undefined) {
          say(`${change.from}: ${step} for ${nameOf(one)}, which no plan has that was approved (${hashes.join(', ')})`);
          return;
        }
        const key = `${one.uid} ${hash} ${step}`;
        const before = done.get(key) ?? [];
        const now = scene.world.now();
        const { serial } = cause.message;
        if (before.some((other) => other.serial > serial)) return;
        done.set(key, [...before, { at: now, serial }]);
        const calls = shown.get(`${one.uid} ${hash}`)?.filter((call) => call === step) ?? [];
        const last = before.at(-1);
        const isFirst = last === undefined || before.length < calls.length;
        if (plans.length > 1 || isFirst || !answered.has(last.serial) || isEnded(scene, last.at, now)) return;
        say(`${change.from}: ${step} for ${nameOf(one)} once more by the same approval, ${hash}`);
      },
    };
  },
};

/** Whose SIM it is; undefined where that is not sure. */
function subjectOf(scene: Scene, { ids: [id], objects }: Change): Incarnation | undefined {
  const made = objects.find(({ kind, before }) => kind === 'sims' && !before)?.id;
  const found = scene.intent.all.filter(({ uid, plural, ids }) =>
    plural !== 'sims' ? false : made === undefined ? ids.includes(id ?? '') : scene.atService.mayHaveCreated(uid, made),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a process ended at some time between, or might have. */
function isEnded({ script }: Scene, since: number, until: number): boolean {
  return script.steps.some(
    ({ what, at, ...step }) =>
      what === 'kill' && at <= until && (at >= since - 1000 || ('on' in step && step.on !== undefined)),
  );
}
