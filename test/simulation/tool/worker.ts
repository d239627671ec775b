import { livedOf, type Order, type Report } from './lives.ts';

// Operators make errors all the time, and nobody reads where: that takes a part of the whole.
Error.stackTraceLimit = 0;

/** Lives what it is told to, seed by seed, and tells how each went; ends with its parent. */
process.on('message', (order: Order) => void live(order));
process.on('disconnect', () => process.exit(0));

async function live({ seeds }: Order): Promise<void> {
  for (const seed of seeds) {
    const { outcome } = await livedOf(seed, { trace: false });
    tell({ outcome });
  }
  tell('done');
}

function tell(report: Report): void {
  process.send?.(report);
}
