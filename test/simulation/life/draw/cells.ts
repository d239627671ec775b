import { faultsOf } from '../../../../src/shadow/service/faults.ts';
import type { Moment } from '../../../../src/shadow/world/messages.ts';
import { type Counts, killKey, struckKey } from '../coverage.ts';
import type { Act, MessageFault } from '../script.ts';
import { kubernetesRoutes, networkFaults, refusals, serviceRoutes } from './trouble.ts';

/** One thing that may go wrong with one operation. */
export interface Cell {
  /** As coverage counts it. */
  readonly key: string;
  readonly to: 'kubernetes' | 'service';
  readonly route: string;
  readonly what: { readonly fault: MessageFault } | { readonly killedAt: Moment };
}

/** So many cells a life is to meet: with more, too often one hides the other, and that has to be lived again. */
const CELLS_A_LIFE = 36;

const moments: readonly Moment[] = ['begun', 'written', 'arrived', 'answered'];

/** What else the operator asks of the cluster in any life. */
const moreKubernetesRoutes: readonly string[] = [
  'list namespaces',
  'watch namespaces',
  'list leases',
  'watch leases',
  'list clustercloudaccounts',
  'watch clustercloudaccounts',
  'patch cloudaccounts',
  'patch clustercloudaccounts',
  'patch clustercloudaccounts/status',
  'get edgeline.dev',
];

/** What an operator asks of the service that is started with `--sim-rates`, as Extended spells it, which these lives have. */
export const RATES = 'GET /commonserviceitem/:id/sim/metrics/monitor';

/** What may befall an operation. */
function cellsOfRoute(to: Cell['to'], route: string): Cell[] {
  const faults: MessageFault[] = [
    ...(to === 'service'
      ? faultsOf(route).map((service) => ({ service }))
      : refusals.map((kubernetes) => ({ kubernetes }))),
    ...networkFaults,
  ];
  return [
    ...faults.map((fault) => ({ key: struckKey(fault, route), to, route, what: { fault } })),
    ...moments.map((killedAt) => ({ key: killKey(killedAt, route), to, route, what: { killedAt } })),
  ];
}

/** What is read by itself only if a list lacks it. */
export const READ_ALONE = /^GET (\/(?:commonserviceitem|appliance))\/:id(?:\/sim\/status)?$/;

/** Nothing is sent for five minutes after a 401, few things are read by themselves, and rates come in steps of five minutes. */
export function takesLong({ key, route }: Cell): boolean {
  return key.includes('unauthorized') || READ_ALONE.test(route) || route === RATES;
}

/** In one of so many lives come so many cells that take long: such a life takes twice the time. */
const LONG_LIVES = 4;
const LONG_AT_ONCE = 9;

/** Every fault with every operation that it makes sense for; neighbours differ in both. */
export const cells: readonly Cell[] = arranged([
  ...[...serviceRoutes, RATES].flatMap((route) => cellsOfRoute('service', route)),
  ...[...kubernetesRoutes, ...moreKubernetesRoutes].flatMap((route) => cellsOfRoute('kubernetes', route)),
]);

/** Those that take long are together by so many, and far enough apart not to hide one another. */
function arranged(all: readonly Cell[]): Cell[] {
  const long = scattered(all.filter(takesLong));
  const short = scattered(all.filter((cell) => !takesLong(cell)));
  const arrangement: Cell[] = [];
  while (long.length > 0 || short.length > 0) {
    arrangement.push(...long.splice(0, LONG_AT_ONCE), ...short.splice(0, LONG_LIVES * CELLS_A_LIFE - LONG_AT_ONCE));
  }
  return arrangement;
}

/** All of them, each far from where it was: by steps of about the golden section that lead to every place. */
function scattered<T>(all: readonly T[]): T[] {
  let step = Math.round(all.length * 0.618);
  while (commonDivisor(step, all.length) > 1) step++;
  return all.map((_, index) => all[(index * step) % all.length]).flatMap((one) => one ?? []);
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}

/** The lives of a seed in so many meet cells; together they meet all, again and again. */
const EVERY = 80;
const OFFSET = 5;

/** The seeds whose lives meet each cell once. */
export const seedsOfAllCells: readonly number[] = Array.from(
  { length: Math.ceil(cells.length / CELLS_A_LIFE) },
  (_, index) => OFFSET + index * EVERY,
);

/** The seed whose life meets a cell for another time, in other company. `round`: 1 for the second time. */
export function seedMeeting(key: string, round: number): number {
  const place = cells.findIndex((cell) => cell.key === key) + round * cells.length;
  return OFFSET + Math.floor(place / CELLS_A_LIFE) * EVERY;
}

/** The cells that the life of a seed is to meet; none for most. */
export function cellsOfSeed(seed: number): readonly Cell[] {
  if (seed % EVERY !== OFFSET) return [];
  const first = ((seed - OFFSET) / EVERY) * CELLS_A_LIFE;
  return Array.from({ length: CELLS_A_LIFE }, (_, index) => cells[(first + index) % cells.length]).flatMap(
    (cell) => cell ?? [],
  );
}

/** Lies in wait for the cell's operation. */
export function actOf({ to, route, what }: Cell): Act {
  if ('killedAt' in what) {
    return { what: 'kill', process: 0, on: { moment: what.killedAt, to, route, nth: 1 }, restart: 500 };
  }
  return { what: 'fault', to, route, fault: what.fault, count: 1, skip: 0, milliseconds: 9000, lasts: 3_600_000 };
}

/** The keys of the cells that no life has met. */
export function emptyCells(counts: Counts): string[] {
  return cells.flatMap(({ key }) => (counts[key] === undefined ? [key] : []));
}
