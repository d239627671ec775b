import type { Answer } from './sides.ts';

type Members = Record<string, unknown>;

/** Makes answers of one side comparable with those of another: what each makes up becomes what it was the how manieth. */
export interface Normalizer {
  answer(answer: Answer): unknown;
  event(event: unknown): unknown;
  /** Which of the object versions so far was the how manieth, in the order in which they were answered. */
  order(): number[];
}

/** For one sequence. */
export function createNormalizer(): Normalizer {
  const uids = new Map<string, string>();
  const versions: string[] = [];
  let listVersion: string | undefined;

  /** Random UIDs in messages, too. */
  function text(value: string): string {
    let made = value;
    for (const [uid, symbol] of uids) made = made.replaceAll(uid, symbol);
    // Versions, and where something is stored.
    return made.replace(/in record \(\d+\)/, 'in record (a version)').replace(/Key: \S+/, 'Key: its own,');
  }

  function metadata(value: Members, isList: boolean): Members {
    const {
      managedFields: _,
      uid,
      resourceVersion,
      creationTimestamp,
      deletionTimestamp,
      selfLink: __,
      ...rest
    } = value;
    const made: Members = { ...rest };
    if (typeof uid === 'string') {
      if (!uids.has(uid)) uids.set(uid, `uid ${uids.size}`);
      made.uid = uids.get(uid);
    }
    if (typeof resourceVersion === 'string') {
      if (isList) {
        const isSame = listVersion === resourceVersion;
        made.resourceVersion = isSame || Number(resourceVersion) >= highest() ? 'as of now' : 'as of then';
        listVersion = resourceVersion;
      } else {
        versions.push(resourceVersion);
        made.resourceVersion = 'a version';
      }
    }
    if (creationTimestamp !== undefined && creationTimestamp !== null) made.creationTimestamp = 'a time';
    if (deletionTimestamp !== undefined) made.deletionTimestamp = 'a time';
    // Of custom resources, the last page has an empty token.
    if (made.continue === '') delete made.continue;
    else if (made.continue !== undefined) made.continue = 'a token';
    return made;
  }

  const highest = () => Math.max(0, ...versions.map(Number));

  function object(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(object);
    if (!isMembers(value)) return typeof value === 'string' ? text(value) : value;
    const made: Members = {};
    const isList = String(value.kind).endsWith('List');
    for (const [name, member] of Object.entries(value)) {
      made[name] = name === 'metadata' && isMembers(member) ? metadata(member, isList) : object(member);
    }
    return made;
  }

  function status(value: Members): Members {
    const made = object(value);
    if (!isMembers(made)) return value;
    const details = isMembers(made.details) ? made.details : undefined;
    const causes = details && Array.isArray(details.causes) ? details.causes : undefined;
    if (details && typeof details.uid === 'string') details.uid = text(details.uid);
    if (details && causes) {
      // On updates the real one leaves out what the path begins with.
      for (const one of causes) {
        // That has the whole object in it, as Go prints it.
        if (isMembers(one) && one.field === 'patch') delete one.message;
      }
      for (const one of causes)
        if (isMembers(one)) one.message = String(one.message).replace(/:\s+\S* ?in body/, ': in body');
      // Which of several comes first is left to chance by the real one, and some are said twice or thrice. The message has
      // them all once more.
      details.causes = [...new Set(causes.map((one) => JSON.stringify(sorted(one))))].sort();
      made.message = String(made.message).split(' is invalid: ')[0];
    }
    // How decoders word what they cannot read says more about Go than about the request.
    if (made.reason === 'BadRequest') delete made.message;
    return made;
  }

  return {
    answer({ status: code, body }) {
      return { code, body: isMembers(body) && body.kind === 'Status' ? status(body) : object(body) };
    },
    event(event) {
      if (!isMembers(event)) return event;
      if (event.type === 'BOOKMARK') return undefined;
      return { type: event.type, object: object(event.object) };
    },
    order() {
      const ranks = new Map(
        [...new Set(versions)].sort((a, b) => Number(a) - Number(b)).map((one, rank) => [one, rank]),
      );
      return versions.map((one) => ranks.get(one) ?? -1);
    },
  };
}

/** With members in the order of their names, for comparing as text. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
