import type { OperatorOptions } from '../../../src/operator/options.ts';
import { PAGE_LIMITS, statusPage } from '../../../src/page/handler.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import type { HttpAnswer } from '../../../src/telemetry/http.ts';
import type { Flags } from './setting.ts';

/** People who look at the status page of whichever process there is. */
export interface Pages {
  /** What processes are to be started with. */
  readonly options: Partial<OperatorOptions>;
  onAnswer(listener: (process: string, query: string, answer: HttpAnswer) => void): void;
}

/** How often somebody looks. Milliseconds. */
const LOOK = 47_000;
/** What they look at, one after the other. */
const QUERIES = [
  '',
  'state=attention',
  'kind=sim&q=sim',
  'kind=webaccelsite',
  'kind=cloudaccount',
  'object=sim/fleet/sim-1',
  'object=cloudaccount/fleet/default',
  'view=certificates',
] as const;

/** The page is asked in the process, without a socket, until the end of the trouble. */
export function createPages(world: () => World, { statusPage: isShown }: Flags, end: number): Pages {
  const listeners: ((process: string, query: string, answer: HttpAnswer) => void)[] = [];
  let count = 0;
  const handlers = new Map<string, ReturnType<typeof statusPage>>();

  function look(): void {
    const live = world();
    if (live.now() > end) return;
    live.at(live.now() + LOOK, look);
    const query = QUERIES[count++ % QUERIES.length] ?? '';
    for (const { name, isAlive } of live.processes) {
      const handler = handlers.get(name)?.['/'];
      if (!isAlive || !handler) continue;
      void (async () => {
        const answer = await handler(new URLSearchParams(query), '', { host: 'localhost' });
        for (const listener of listeners) listener(name, query, answer);
      })();
    }
  }

  return {
    options: isShown
      ? {
          statusPage: {
            listen: '0',
            limits: PAGE_LIMITS,
            create(source) {
              if (handlers.size === 0) world().at(world().now() + LOOK, look);
              handlers.set(source.instance, statusPage({ ...source, listen: '127.0.0.1:8080' }));
              return {};
            },
          },
        }
      : {},
    onAnswer: (listener) => void listeners.push(listener),
  };
}
