import type { Message, Moment } from '../../src/shadow/world/messages.ts';
import type { World } from '../../src/shadow/world/world.ts';

/** Calls back once, when the first message that fits has come to a moment; gives what says whether it has. */
export function atFirst(
  world: Pick<World, 'onMessage'>,
  moment: Moment,
  fits: (message: Message) => boolean,
  then: () => unknown = () => undefined,
): () => boolean {
  let has = false;
  world.onMessage((now, message) => {
    if (has || now !== moment || !fits(message)) return;
    has = true;
    then();
  });
  return () => has;
}
