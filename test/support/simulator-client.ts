import type { StatePatch } from '../../src/simulator/control/patch.ts';
import type { Fault, FaultInput } from '../../src/simulator/faults.ts';
import type { Hold } from '../../src/simulator/holds.ts';
import type { RequestRecord } from '../../src/simulator/request-log.ts';
import type { Settings } from '../../src/simulator/settings.ts';

type Kind = 'sims' | 'gateways' | 'sites' | 'servers';
type StoredObject = Record<string, unknown>;

/** What `GET /state` answers: objects by ID. */
export interface SimulatorState extends Record<Kind, Record<string, StoredObject | undefined>> {
  readonly now: string;
  readonly accounts: readonly { readonly name: string; readonly webAccelRequests: number }[];
}

export interface Counts {
  readonly total: number;
  readonly byRoute: Record<string, number>;
  readonly byStatus: Record<string, number>;
}

/** The control port of a simulator, typed. Every call throws what the port answers as `error`. */
export function simulatorClient(control: string) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${control}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    // The control port is this repository's own: its answers are taken at their word.
    const answer = JSON.parse(await response.text());
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.error}`);
    return answer;
  }
  const one = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;
  return {
    requests: (since = 0) => call<{ requests: RequestRecord[]; next: number }>('GET', `/requests?since=${since}`),
    clearRequests: () => call<object>('DELETE', '/requests'),
    counts: () => call<Counts>('GET', '/counts'),
    fault: (fault: FaultInput) => call<Fault>('POST', '/faults', fault),
    faults: async () => (await call<{ faults: Fault[] }>('GET', '/faults')).faults,
    clearFaults: () => call<object>('DELETE', '/faults'),
    removeFault: (id: string) => call<object>('DELETE', one('/faults', id)),
    /** The requests held; waits up to so many milliseconds until there is one. */
    holds: async (wait = 0) => (await call<{ holds: Hold[] }>('GET', `/holds?wait=${wait}`)).holds,
    release: (id: string) => call<object>('POST', `${one('/holds', id)}/release`),
    drop: (id: string) => call<object>('POST', `${one('/holds', id)}/drop`),
    clock: () => call<{ now: string; offsetSeconds: number }>('GET', '/clock'),
    advance: (advanceSeconds: number) => call<{ now: string }>('POST', '/clock', { advanceSeconds }),
    setClock: (set: string) => call<{ now: string }>('POST', '/clock', { set }),
    state: () => call<SimulatorState>('GET', '/state'),
    patch: (patch: StatePatch) => call<object>('PATCH', '/state', patch),
    add: (kind: Kind, seed: object) => call<{ id: string }>('POST', `/state/${kind}`, seed),
    remove: (kind: Kind, idOrName: string) => call<object>('DELETE', one(`/state/${kind}`, idOrName)),
    reset: () => call<object>('POST', '/reset'),
    settings: () => call<Settings>('GET', '/settings'),
    changeSettings: (change: Partial<Settings>) => call<Settings>('PATCH', '/settings', change),
  };
}

export type SimulatorClient = ReturnType<typeof simulatorClient>;
