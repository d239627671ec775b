import type { Random } from '../../../../src/shadow/world/random.ts';
import type { StatePatch } from '../../../../src/simulator/control/patch.ts';
import { mergePatch } from '../json.ts';
import type { Act, Encore } from '../script.ts';
import { isTight } from '../setting.ts';
import type { Draft } from './draft.ts';
import { namesOf, presentOf } from './draft.ts';
import { drawEdit } from './people.ts';
import { tlsSecretName } from './setting.ts';
import { fields, lawful } from './specs.ts';
import { domains, goodCertificates, ref, secret, tlsData } from './vocabulary.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What happens when all is settled: one thing at a time, with the time within which all must be settled again. */
export function drawEncore(draft: Draft, random: Random): Encore[] {
  const encores: Encore[] = [];
  const kinds = [specChange, certificateChange, drift, drift, deletion];
  const count = random.pick([0, 1, 1, 2, 3]);
  for (let index = 0; index < count; index++) {
    const encore = random.pick(kinds)(draft, random);
    if (encore) encores.push(encore);
  }
  // Last, for a process that just started waits for what an earlier one may have sent.
  if (random.chance(0.15)) encores.push(restart(random));
  return encores;
}

function specChange(draft: Draft, random: Random): Encore | undefined {
  const roles = [...draft.present.keys()];
  if (roles.length === 0) return undefined;
  const role = random.pick(roles);
  const { namespace } = role.ref;
  const [name, draw] = random.pick(Object.entries(fields[role.plural] ?? {}));
  const around = {
    gateways: namesOf(draft, 'mobilegateways', namespace),
    sims: namesOf(draft, 'sims', namespace),
  };
  const value = draw(random, around);
  const present = draft.present.get(role);
  if (value === undefined || !present) return undefined;
  const next = lawful(role.plural, { ...present.spec, [name]: value });
  const patch = mergePatch(present.spec, next);
  present.spec = next;
  if (Object.keys(patch).length === 0) return undefined;
  const act: Act = { what: 'patch', ref: role.ref, patch: { spec: patch } };
  return { act, within: 2 * MINUTE, why: 'a change of a spec is carried out at once' };
}

function certificateChange(draft: Draft, random: Random): Encore | undefined {
  if (isTight(draft.drawn.setting)) return undefined;
  const namespace = random.pick(draft.drawn.namespaces);
  if (presentOf(draft, 'sitecertificates', namespace).length === 0) return undefined;
  const domain = random.pick(domains);
  const name = tlsSecretName(domain);
  const data = tlsData(random.pick(goodCertificates(domain)));
  const manifest = secret(namespace, name, data, 'kubernetes.io/tls');
  const act: Act = { what: 'create', ref: ref('secrets', namespace, name), manifest, patience: 0 };
  return { act, within: 30 * SECOND, why: 'a renewed certificate is on its site a moment after it is in the Secret' };
}

function drift(draft: Draft, random: Random): Encore | undefined {
  const patch = drawEdit({ ...draft, random });
  // With few requests an hour the turns of sites take hours.
  if (!patch || (patch.sites && isTight(draft.drawn.setting))) return undefined;
  // The slowest turns of docs/reference/drift.md for up to 20 objects.
  const within = 32 * MINUTE + (isHidden(draft, patch) ? HOUR : 0);
  return { act: { what: 'edit', patch }, within, why: 'what somebody changed at the service is put back' };
}

/** The Documented dialect never shows resolvers: they are sent again at the first turn after an hour. */
function isHidden({ drawn }: Draft, { gateways = {} }: StatePatch): boolean {
  const isResolvers = Object.values(gateways).some(({ dns }) => dns !== undefined);
  return isResolvers && drawn.accounts.some(({ spec }) => spec['dialect'] !== 'Extended');
}

function deletion(draft: Draft, random: Random): Encore | undefined {
  const roles = [...draft.present.keys()].filter(({ plural }) => plural === 'sims' || plural === 'webaccelsites');
  if (roles.length === 0) return undefined;
  const role = random.pick(roles);
  draft.present.delete(role);
  return { act: { what: 'delete', ref: role.ref }, within: 2 * MINUTE, why: 'a deletion is carried out at once' };
}

function restart(random: Random): Encore {
  const act: Act = { what: 'kill', process: 0, on: undefined, restart: random.pick([500, 5000]) };
  return { act, within: 5 * MINUTE, why: 'a restart changes nothing' };
}
