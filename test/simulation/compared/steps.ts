import type { KindDefinition } from '../../../src/kubernetes/crd.ts';
import { NAMESPACES, type Resource } from '../../../src/kubernetes/resource.ts';
import type { ApiserverRequest } from '../../../src/shadow/apiserver/apiserver.ts';
import type { Known } from './known.ts';
import { ADMIN, type Make, NOBODY, type Parts, type Place, type Subject, subjects } from './parts.ts';
import type { Chances } from './random.ts';
import { list, read } from './reads.ts';
import { almostRight, knownSpecs } from './values.ts';
import {
  creation,
  deletion,
  newSpec,
  otherSpec,
  otherStatus,
  patch,
  statusPatch,
  statusUpdate,
  update,
} from './writes.ts';
import { WRONG_STATUSES } from './wrong.ts';

/** One request of a sequence: what is asked depends on what was answered so far, by the side that is asked. */
export interface Step {
  readonly resource: Resource;
  /** What it does, for the count. */
  readonly verb: string;
  request(known: Known): ApiserverRequest;
}

/** A sequence: it is about a few objects of two kinds, so that its steps have to do with one another. */
export function sequenceOf(random: Chances, place: Place, length: number): Step[] {
  const about = [random.pick(subjects), random.pick(subjects)];
  const partsOf = (subject: Subject, name: string): Parts => ({
    ...subject,
    name: (subject.resource.namespaced ? '' : place.prefix) + name,
    random,
    place,
  });
  const first = about.map((subject) =>
    made(subject.resource, 'create', ADMIN, creation(partsOf(subject, 'a'), 'right')),
  );
  const rest = Array.from({ length: length - first.length }, () => {
    const subject = random.any(about) ?? subjects[0];
    return stepOf(partsOf(subject, random.pick(NAMES)));
  });
  return [...first, ...rest];
}

/**
 * Specs of one kind that are new, and that come instead of others: those that are known, and so many that chance makes; and
 * statuses that rules are about.
 */
export function specsOf(
  subject: Subject & { definition: KindDefinition },
  random: Chances,
  place: Place,
  length: number,
): Step[] {
  const { resource, definition } = subject;
  const prefix = subject.resource.namespaced ? '' : place.prefix;
  const partsOf = (name: string): Parts => ({ ...subject, name: prefix + name, random, place });
  const step = (verb: string, make: Make) => made(resource, verb, ADMIN, make);
  const known = knownSpecs(definition);
  const stored = known.map(({ right }, index) => step('create', newSpec(partsOf(`a${index}`), right, 'stored')));
  const tried = known.flatMap(({ right, wrong }, index) =>
    [right, ...wrong, ...Array.from({ length: length / known.length }, () => almostRight(definition, random))].flatMap(
      (spec) => [
        step('create of a spec', newSpec(partsOf('b'), spec)),
        step('update of a spec', otherSpec(partsOf(`a${index}`), spec)),
      ],
    ),
  );
  const statuses = (WRONG_STATUSES[definition.plural] ?? []).map((status) =>
    step('patch of status', otherStatus(partsOf('a0'), status)),
  );
  return [...stored, ...tried, ...statuses];
}

const NAMES: readonly [string, ...string[]] = ['a', 'a', 'a', 'b', 'b-c'];

function stepOf(parts: Parts): Step {
  const { resource, definition, random } = parts;
  const user = random.oneIn(40) ? NOBODY : ADMIN;
  const step = (verb: string, make: Make) => made(resource, verb, user, make);
  const chance = random.below(100);
  if (chance < 22) return step('create', creation(parts));
  if (chance < 38) return step('update', update(parts));
  if (chance < 60) return step('patch', patch(parts));
  if (chance < 72 && definition) return step('patch of status', statusPatch(parts, definition));
  if (chance < 77 && definition) return step('update of status', statusUpdate(parts, definition));
  // A namespace goes by and by, while the other side's are gone at once: that is a test of its own.
  if (chance < 84 && resource !== NAMESPACES) return step('delete', deletion(parts));
  if (chance < 89) return step('get', read(parts));
  return step('list', list(parts));
}

function made(resource: Resource, verb: string, user: string, make: Make): Step {
  return {
    resource,
    verb: user === NOBODY ? `${verb}, without permission` : verb,
    request: (known) => ({ ...make(known), user }),
  };
}
