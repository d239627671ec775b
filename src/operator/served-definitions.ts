import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { EdgelineError, messageOf } from '../errors.ts';
import { edgelineAPI } from '../kinds/common/schema.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { type KindDefinition, specSchemaOf, statusSchemaOf } from '../kubernetes/crd.ts';
import { parseJson } from '../kubernetes/json.ts';
import { droppedFields } from '../kubernetes/served-fields.ts';
import { orAborted } from '../kubernetes/wait.ts';
import type { Logger } from '../telemetry/log.ts';

/** Between two looks at the cluster's CRDs while they lack something. Milliseconds. */
const WAITING_MILLISECONDS = 2000;
/** The same afterwards. Seconds. */
const WATCHING_SECONDS = 15;
/** Fields named in one message; who applies the CRDs needs no longer list. */
const MOST_FIELDS_SHOWN = 8;

/** The CRDs the cluster serves lack fields this operator keeps what it knows in, or reads what it is asked for from. */
export class DefinitionsTooOldError extends EdgelineError {
  readonly code = 'DefinitionsTooOld';

  constructor(missing: readonly string[]) {
    const more = missing.length > MOST_FIELDS_SHOWN ? `, and ${missing.length - MOST_FIELDS_SHOWN} more` : '';
    super(
      `the CustomResourceDefinitions in the cluster are older than this operator. The apiserver would drop ${missing.slice(0, MOST_FIELDS_SHOWN).join(', ')}${more}`,
      'Nothing is written until the CRDs of this version are applied (docs/upgrade.md: kubectl apply --server-side -f crds/); it then continues on its own.',
    );
  }
}

/** Whether the CRDs in the cluster have room for everything this operator writes and reads. */
export interface ServedDefinitions {
  /** Begins to look, and never stops: CRDs may be rolled back under a running operator. */
  start(signal: AbortSignal): void;
  /** Resolves when nothing is missing; rejects with the signal's reason. */
  sufficient(signal: AbortSignal): Promise<void>;
  /** Throws what is the matter; for a health check. */
  check(): void;
}

const group = z.object({ paths: z.record(z.string(), z.object({ serverRelativeURL: z.string() })) });
const names = z.array(z.object({ group: z.string(), kind: z.string(), version: z.string() }));
const schemas = z.object({
  components: z.object({
    schemas: z.record(
      z.string(),
      z.looseObject({
        'x-kubernetes-group-version-kind': names.optional(),
        properties: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
});

/** What of these kinds an apiserver drops that describes its resources by this OpenAPI v3 document, as `sims: status.applied`. Pure. */
export function missingFields(definitions: readonly KindDefinition[], document: unknown): string[] {
  const served = Object.values(schemas.parse(document).components.schemas);
  return definitions.flatMap((definition) => {
    const found = served.find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (one) => one.kind === definition.kind && one.group === definition.group && one.version === definition.version,
      ),
    );
    const fields = [
      ...droppedFields(specSchemaOf(definition), found?.properties?.['spec'], 'spec'),
      ...droppedFields(statusSchemaOf(definition), found?.properties?.['status'], 'status'),
    ];
    return fields.map((field) => `${field} of ${definition.plural}`);
  });
}

/**
 * Looks at what the apiserver publishes about the kinds, which whoever has a token may read. `onTooOld` is called when
 * something that was there is missing.
 */
export function createServedDefinitions(options: {
  readonly client: KubeClient;
  readonly definitions: readonly KindDefinition[];
  readonly onTooOld: (error: DefinitionsTooOldError) => void;
  /** Between two looks while nothing is missing; undefined: 15. */
  readonly seconds: number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}): ServedDefinitions {
  const { client, definitions, clock, log } = options;
  const watchingMilliseconds = (options.seconds ?? WATCHING_SECONDS) * 1000;
  const first = Promise.withResolvers<void>();
  /** Where the description of the kinds was, which names it by a digest of what is in it. */
  let seen: string | undefined;
  let problem: unknown = new Error('the CustomResourceDefinitions were not looked at yet');
  let reported: string | undefined;
  /** Looks in a row that did not show what there is: one alone may be in the middle of a change. */
  let failures = 0;

  /** JSON, though the apiserver calls its index plain text. */
  async function read(path: string, signal: AbortSignal): Promise<unknown> {
    const answer = await client.raw('GET', path, undefined, { signal });
    return typeof answer === 'string' ? parseJson<unknown>(answer) : answer;
  }

  async function look(signal: AbortSignal): Promise<void> {
    const index = group.parse(await read('/openapi/v3', signal));
    const place = index.paths[`apis/${edgelineAPI.group}/${edgelineAPI.version}`]?.serverRelativeURL;
    if (place !== undefined && place === seen && problem === undefined) return;
    const document = place === undefined ? { components: { schemas: {} } } : await read(place, signal);
    const missing = missingFields(definitions, document);
    if (missing.length > 0) throw new DefinitionsTooOldError(missing);
    seen = place;
  }

  function report(error: unknown): void {
    const advice = error instanceof EdgelineError ? ` ${error.advice}` : '';
    const text = `the CRDs of the cluster do not fit, or cannot be looked at: ${messageOf(error)}.${advice}`;
    if (text !== reported) log.error(error instanceof EdgelineError ? { code: error.code } : { err: error }, text);
    reported = text;
  }

  async function run(signal: AbortSignal): Promise<void> {
    let isSufficient = false;
    while (!signal.aborted) {
      try {
        await look(signal);
        problem = undefined;
        failures = 0;
        if (!isSufficient && reported !== undefined) log.info('the CRDs of the cluster have all that is needed');
        isSufficient = true;
        reported = undefined;
        first.resolve();
      } catch (error) {
        if (signal.aborted) return;
        const isTooOld = error instanceof DefinitionsTooOldError;
        failures = isTooOld ? 0 : failures + 1;
        // An apiserver that does not answer says nothing about its CRDs.
        if (isTooOld || !isSufficient) {
          problem = error;
          if (failures !== 1) report(error);
        }
        if (isTooOld && isSufficient) options.onTooOld(error);
      }
      await clock.sleep(isSufficient ? watchingMilliseconds : WAITING_MILLISECONDS, signal).catch(() => undefined);
    }
  }

  return {
    start: (signal) => void run(signal),
    sufficient: (signal) => orAborted(first.promise, signal),
    check() {
      if (problem !== undefined) throw problem;
    },
  };
}
