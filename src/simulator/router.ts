import type { World } from './model.ts';
import type { Simulation } from './simulation.ts';
import type { Zone } from './zones.ts';

/** One request as an operation sees it. */
export interface ApiRequest {
  readonly simulation: Simulation;
  readonly world: World;
  readonly zone: Zone;
  /** The header `X-Sakura-Bigint-As-Int: 1` was sent: the client speaks the Extended dialect. */
  readonly extended: boolean;
  /** The values of `:id` and its kin, in the order of the template. */
  readonly ids: readonly string[];
  /** What stands behind `?`, as sent. */
  readonly query: string;
  readonly body: unknown;
  /** Simulated time, milliseconds since the Unix epoch. */
  readonly now: number;
}

/** An answer: the members beside `is_ok`, or bytes of another type. */
export interface ApiResponse {
  readonly status?: number;
  readonly body?: Record<string, unknown>;
  readonly bytes?: Buffer;
  readonly contentType?: string;
}

type Operation = (request: ApiRequest) => ApiResponse;

/** `cloud` is `{cloud_prefix}` of `api.md`, `webaccel` is `{webaccel_prefix}`. */
export type ApiName = 'cloud' | 'webaccel';

/** Operations by `METHOD /template`, for example `PUT /commonserviceitem/:id/sim/ip`. */
export type Routes = Readonly<Record<string, Operation>>;

export interface Match {
  /** As the request log and the faults name it: `PUT /commonserviceitem/:id/sim/ip`, `PUT webaccel/site/:id`. */
  readonly name: string;
  readonly ids: readonly string[];
  readonly operation: Operation;
}

interface Node {
  readonly literal: Map<string, Node>;
  parameter: Node | undefined;
  readonly methods: Map<string, { name: string; operation: Operation }>;
}

export interface Router {
  /** Finds the operation by method and path segments, a step a segment. */
  match(api: ApiName, method: string, segments: readonly string[]): Match | undefined;
  /** Every route's name, sorted. */
  readonly names: readonly string[];
}

export function createRouter(tables: Readonly<Record<ApiName, readonly Routes[]>>): Router {
  const roots: Record<ApiName, Node> = { cloud: newNode(), webaccel: newNode() };
  const names: string[] = [];
  for (const api of ['cloud', 'webaccel'] as const) {
    for (const [key, operation] of tables[api].flatMap((table) => Object.entries(table))) {
      const [method = '', template = ''] = key.split(' ');
      const name = api === 'cloud' ? key : `${method} webaccel${template}`;
      names.push(name);
      let node = roots[api];
      for (const segment of template.split('/').slice(1)) node = child(node, segment);
      node.methods.set(method, { name, operation });
    }
  }
  return {
    names: names.sort(),
    match(api, method, segments) {
      let node: Node | undefined = roots[api];
      const ids: string[] = [];
      for (const segment of segments) {
        const literal = node.literal.get(segment);
        if (literal) node = literal;
        else {
          if (segment === '') return undefined;
          ids.push(segment);
          node = node.parameter;
        }
        if (!node) return undefined;
      }
      const found = node.methods.get(method);
      return found && { ...found, ids };
    },
  };
}

function newNode(): Node {
  return { literal: new Map(), parameter: undefined, methods: new Map() };
}

function child(node: Node, segment: string): Node {
  if (segment.startsWith(':')) return (node.parameter ??= newNode());
  const known = node.literal.get(segment);
  if (known) return known;
  const made = newNode();
  node.literal.set(segment, made);
  return made;
}
