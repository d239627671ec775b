import * as z from 'zod';
import type { WriteReport } from '../cloud/write-report.ts';
import { type ChangeCause, changeCauses, type FieldChange } from './change.ts';
import type { AccountRef, ManagedObject } from './managed-object.ts';

/** The name of the shape of a line. Members are added to it; none changes its meaning or goes. */
const CHANGE_SCHEMA = 'edgeline.dev/change/v1';
/** The value of `component` by which these lines are told from all others. */
export const CHANGE_COMPONENT = 'change';
/** Characters of a value. */
const LONGEST_VALUE_CHARACTERS = 1000;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has no other keys
const causes = z.enum(Object.keys(changeCauses) as ChangeCause[]);

/** What a line says beside what every line of the log has: of each member what it means. */
export const changeSchema = z.object({
  schema: z
    .literal(CHANGE_SCHEMA)
    .describe('The shape of the line. Members are added to it; none changes its meaning or goes.'),
  kind: z.string().describe('Kind of the resource.'),
  namespace: z.string().describe('Namespace of the resource.'),
  name: z.string().describe('Name of the resource.'),
  uid: z.string().describe('UID of the resource.'),
  generation: z.int().min(0).describe('`metadata.generation` of the resource that the write was decided on.'),
  account: z
    .string()
    .nullable()
    .describe(
      'The account that the write was sent with, such as `CloudAccount/default` (in the namespace of the resource) or `ClusterCloudAccount/shared`; `null` in what is told of an earlier process.',
    ),
  objectID: z
    .string()
    .nullable()
    .describe(
      'ID, at the service, of what belongs to the resource; of a creation the new ID, or `null` if there was no answer.',
    ),
  step: z
    .string()
    .nullable()
    .describe('The operator’s own name of what it did, such as `setIP`; `null` in what is told of an earlier process.'),
  operation: z
    .string()
    .nullable()
    .describe('The operation of the service, such as `PUT /commonserviceitem/:id/sim/ip`; `null` if nothing was sent.'),
  request: z.string().nullable().describe('The same with the IDs; `null` if nothing was sent.'),
  attempt: z
    .int()
    .min(0)
    .describe(
      'Which request of the step it is, from 1: a request is sent again if the service asks for that, or if it is harmless. 0: none was sent by this process.',
    ),
  fields: z
    .array(
      z.object({
        field: z.string().describe('As the spec names it.'),
        before: z.string().describe('What the service had, as short text; `none`: nothing, `unknown`: not known.'),
        after: z.string().describe('What was sent, as short text; `none`: nothing.'),
      }),
    )
    .describe(
      `What the write changes. A secret is \`(secret)\`, before and after. Values end after ${LONGEST_VALUE_CHARACTERS} characters.`,
    ),
  cause: causes.describe('Why; see below.'),
  approval: z
    .string()
    .nullable()
    .describe('Hash of the plan that a person approved, as `edgeline.dev/approve` had it; `null` if nobody was asked.'),
  afterUnclear: z
    .boolean()
    .describe('The same request was sent before, and it is not known whether it was carried out.'),
  outcome: z
    .enum(['done', 'refused', 'unclear', 'held-back'])
    .describe(
      '`done`; `refused`: the service did not do it; `unclear`: it may have done it; `held-back`: it was decided and not sent, because what it was decided on changed meanwhile.',
    ),
  status: z.int().nullable().describe('HTTP status of the answer; `null` if there was none.'),
  code: z
    .string()
    .nullable()
    .describe(
      '`error_code` of the answer; `challenge`: it was sent again at once with the authentication asked for; of what was held back the code of the reason; else `null`.',
    ),
  requestID: z
    .string()
    .nullable()
    .describe(
      'The number that the service gave the request (`serial`; it tells one only with an error), for its support; else `null`.',
    ),
  durationMs: z
    .int()
    .min(0)
    .nullable()
    .describe('Milliseconds from sending to the answer, or until it was given up; `null` if nothing was sent.'),
});

/** One change, as it is logged. */
export type ChangeLine = z.infer<typeof changeSchema>;

/** Whose change it is. */
export interface ChangeSubject {
  readonly object: ManagedObject;
  readonly accountRef: AccountRef | undefined;
  readonly id: string | undefined;
}

/** What is done, and why. */
export interface ChangeDeed {
  readonly step: string | undefined;
  readonly changes: readonly FieldChange[];
  readonly cause: ChangeCause;
  /** The hash of the plan that a person approved. */
  readonly approval?: string | undefined;
  readonly afterUnclear: boolean;
}

/** What became of it: a report of a request, or nothing was sent by this process. */
export type ChangeOutcome =
  | WriteReport
  | { readonly outcome: 'held-back'; readonly code: string }
  | { readonly outcome: 'unclear' };

/** The line of one change. Pure. */
export function changeLineOf(subject: ChangeSubject, deed: ChangeDeed, outcome: ChangeOutcome): ChangeLine {
  const { object, accountRef, id } = subject;
  const { metadata } = object;
  const report = 'attempt' in outcome ? outcome : undefined;
  return {
    schema: CHANGE_SCHEMA,
    kind: object.kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    generation: metadata.generation ?? 0,
    account: accountRef ? `${accountRef.kind}/${accountRef.name}` : null,
    objectID: id ?? null,
    step: deed.step ?? null,
    operation: report?.route ?? null,
    request: report?.request ?? null,
    attempt: report?.attempt ?? 0,
    fields: deed.changes.map(({ field, before, after }) => ({ field, before: bounded(before), after: bounded(after) })),
    cause: deed.cause,
    approval: deed.approval ?? null,
    afterUnclear: deed.afterUnclear,
    outcome: outcome.outcome,
    status: report?.status ?? null,
    code: ('code' in outcome ? outcome.code : undefined) ?? null,
    requestID: report?.serial ?? null,
    durationMs: report?.milliseconds ?? null,
  };
}

/** What stands in a line for a person. Pure. */
export function messageOfChange({ kind, namespace, name, step, outcome, cause }: ChangeLine): string {
  return `${kind} ${namespace}/${name}: ${step ?? 'a request of an earlier process'} ${outcome}, because ${changeCauses[cause].because}`;
}

function bounded(text: string): string {
  return text.length > LONGEST_VALUE_CHARACTERS ? `${text.slice(0, LONGEST_VALUE_CHARACTERS)}…` : text;
}
