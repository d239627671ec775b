import type { PlannedCall } from '../../../src/plan/call.ts';
import type { Change } from '../../../src/shadow/service/types.ts';

/** The secrets of a site, by their fields, and the member that carries each. */
const members: Readonly<Record<string, string>> = {
  'origin.accessKeyID': 'AccessKeyID',
  'origin.secretAccessKey': 'SecretAccessKey',
  oneTimeURLSecret: 'OnetimeURLSecrets',
};

/** A call that was sent, and what it was made of. */
export interface SentCall {
  readonly call: PlannedCall;
  readonly body: Change['body'];
}

/** A call without the secrets of a site: what they are at the service nobody sees, so they may be there already. */
export function withoutUnseen(call: PlannedCall): PlannedCall {
  if (call.resource.kind !== 'WebAccelSite') return call;
  return { ...call, fields: call.fields.filter(({ field }) => members[field] === undefined) };
}

/** The secrets of sites that became others and were not planned to be sent, and those planned that were not sent. */
export function unseenDifferences(planned: readonly PlannedCall[], sent: readonly SentCall[]): string[] {
  const said = new Set(planned.flatMap(secretsIn));
  const changed = sent.flatMap(({ call }) => secretsIn(call));
  const carried = new Set(
    sent.flatMap(({ call, body }) =>
      Object.entries(members).flatMap(([field, member]) =>
        JSON.stringify(body ?? '').includes(`"${member}"`) ? [lineOf(call, field)] : [],
      ),
    ),
  );
  return [
    ...changed.filter((line) => !said.has(line)).map((line) => `${line} became another, which was not planned`),
    ...[...said].filter((line) => !carried.has(line)).map((line) => `${line} was planned, and not sent`),
  ];
}

function secretsIn(call: PlannedCall): string[] {
  if (call.resource.kind !== 'WebAccelSite') return [];
  return call.fields.flatMap(({ field, after }) =>
    members[field] === undefined || after === undefined ? [] : [lineOf(call, field)],
  );
}

function lineOf({ resource, method, path }: PlannedCall, field: string): string {
  return `${resource.kind} ${resource.namespace}/${resource.name}: ${method} ${path} ${field}`;
}
