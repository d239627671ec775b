import type { Kind } from './kinds/kind.ts';
import type { StoredObject } from './objects.ts';
import { badRequest } from './status.ts';

/** Which objects a list or a watch is about. */
export interface Selection {
  /** Undefined: all. */
  readonly matches: ((object: StoredObject) => boolean) | undefined;
  /** The one name it is about. */
  readonly name: string | undefined;
}

/** Reads `fieldSelector` and `labelSelector`. Throws 400 for what cannot be read or asked for. */
export function selectionOf(kind: Kind, query: URLSearchParams): Selection {
  const fields = termsOf(query.get('fieldSelector'), 'field');
  const labels = termsOf(query.get('labelSelector'), 'label');
  if (fields.length === 0 && labels.length === 0) return { matches: undefined, name: undefined };
  const known = new Set(['metadata.name', 'metadata.namespace', ...Object.keys(kind.fieldLabels(SAMPLE))]);
  for (const { key } of fields) if (!known.has(key)) throw badRequest(`field label not supported: ${key}`);
  return {
    name: nameIn(query.get('fieldSelector')),
    matches: (object) =>
      fields.every((term) => holds(term, fieldOf(kind, object, term.key))) &&
      labels.every((term) => holds(term, object.metadata.labels?.[term.key])),
  };
}

/** The one name a field selector is about, whether or not it can be read otherwise. */
export function nameIn(fieldSelector: string | null): string | undefined {
  return /(?:^|,)metadata\.name==?([^=!,]*)(?:,|$)/.exec(fieldSelector ?? '')?.[1];
}

const SAMPLE: StoredObject = {
  apiVersion: '',
  kind: '',
  metadata: { name: '', uid: '', resourceVersion: '', creationTimestamp: '' },
};

function fieldOf(kind: Kind, object: StoredObject, key: string): string {
  if (key === 'metadata.name') return object.metadata.name;
  if (key === 'metadata.namespace') return object.metadata.namespace ?? '';
  return kind.fieldLabels(object)[key] ?? '';
}

interface Term {
  readonly key: string;
  readonly operator: '=' | '!=' | 'exists' | '!exists';
  readonly value: string;
}

const TERM = /^(?<key>[^=!]+?)(?<operator>!=|==?)(?<value>[^=!]*)$/;

/** `a=b,c!=d`, and of labels `a` and `!a`. Sets (`in (…)`) are not known here: the operator uses none. */
function termsOf(text: string | null, of: 'field' | 'label'): Term[] {
  if (text === null || text === '') return [];
  return text.split(',').map((part): Term => {
    const { key, operator, value } = TERM.exec(part.trim())?.groups ?? {};
    if (key !== undefined && value !== undefined) return { key, operator: operator === '!=' ? '!=' : '=', value };
    const name = part.trim();
    if (of === 'field' || !/^!?[A-Za-z0-9][-A-Za-z0-9_./]*$/.test(name))
      throw badRequest(`invalid selector: '${text}'`);
    return name.startsWith('!')
      ? { key: name.slice(1), operator: '!exists', value: '' }
      : { key: name, operator: 'exists', value: '' };
  });
}

function holds({ operator, value }: Term, found: string | undefined): boolean {
  switch (operator) {
    case '=':
      return found === value;
    case '!=':
      return found !== value;
    case 'exists':
      return found !== undefined;
    case '!exists':
      return found === undefined;
  }
}
