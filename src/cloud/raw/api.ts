import type { Caller } from '../http/caller.ts';
import type { Api, CallOptions } from '../limiter/lanes.ts';
import { unexpected } from '../wire/read.ts';

/** A request that a person wrote, below one of the two interfaces of the service. */
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly api: Api;
  readonly zone: string;
  /** The parts of the path in its normal form (`appliance`, never `applience`): letters, digits, `.`, `_`, `~` and `-`. */
  readonly segments: readonly string[];
  /** As {@link import('../http/caller.ts').Call.query}. */
  readonly query?: object | string | undefined;
  readonly body?: object | undefined;
  /** Values of the body that no message may show. */
  readonly secrets?: readonly string[] | undefined;
}

/** Any operation at all, for what no other area has. */
export interface RawApi {
  /**
   * The answer as it came. A GET that gets none is sent again; anything else is sent once, for what it does twice is not
   * known. Throws CloudError.
   */
  send(request: RawRequest, o: CallOptions): Promise<object>;
}

/** IDs of the service have twelve digits: in the name of an operation they are parameters. */
const ID = /^\d{12}$/;

export function createRawApi(caller: Caller): RawApi {
  return {
    send({ method, api, zone, segments, query, body, secrets }, o) {
      const params: Record<string, string> = {};
      const normal = segments.map((segment, index) => {
        if (!ID.test(segment)) return segment;
        const name = Object.keys(params).length === 0 ? 'id' : `id${index}`;
        params[name] = segment;
        return `:${name}`;
      });
      return caller.read(
        {
          api,
          zone,
          route: `${method} /${normal.join('/')}`,
          params,
          ...(query !== undefined && { query }),
          ...(body && { body }),
          ...(secrets && { secrets }),
          idempotent: method === 'GET',
          answers: method === 'GET' ? 'list' : 'item',
        },
        (answer, site) => {
          if (typeof answer !== 'object' || answer === null) throw unexpected(site, '(body)', 'not an object');
          return answer;
        },
        o,
      );
    },
  };
}
