import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import type { Answer, Item } from './answer.ts';
import type { Work } from './run.ts';

/** A server by its ID, and the zone it is in. No resource is about servers. */
export interface ServerPlace {
  readonly zone: string;
  readonly id: string;
}

const READ: CallOptions = { lane: 'list' };
const WRITE: CallOptions = { lane: 'write' };

const titleOf = ({ zone, id }: ServerPlace) => `server ${id} in ${zone}`;
const one = (place: ServerPlace, item: Item): Answer => ({ of: titleOf(place), items: [item] });

/** The server operations (`api.md`, Server operations), each with its answer. All throw CloudError. */
export const serverOperations = {
  async show({ access }: Work, place: ServerPlace): Promise<Answer> {
    const server = await access.client.servers.read(place.zone, place.id, READ);
    const { plan, raw: _raw, ...rest } = server;
    return one(place, { ...rest, plan: plan?.name ?? plan?.id, cpu: plan?.cpu, memoryMB: plan?.memoryMB });
  },

  async plan({ access }: Work, place: ServerPlace, planID: string): Promise<Answer> {
    const { id } = await access.client.servers.changePlan(place.zone, place.id, planID, WRITE);
    return one(place, { done: `changed to plan ${planID}`, id });
  },

  async monitor({ access, now }: Work, place: ServerPlace, sinceMilliseconds: number | undefined): Promise<Answer> {
    const range =
      sinceMilliseconds === undefined ? {} : { start: new Date(now - sinceMilliseconds), end: new Date(now) };
    const points = await access.client.servers.monitor(place.zone, place.id, range, READ);
    return { of: titleOf(place), items: points.map((point) => ({ ...point })), none: 'There are no measurements.' };
  },

  async power({ access }: Work, place: ServerPlace): Promise<Answer> {
    return one(place, { ...(await access.client.servers.power(place.zone, place.id, READ)) });
  },

  async on({ access }: Work, place: ServerPlace): Promise<Answer> {
    await access.client.servers.powerOn(place.zone, place.id, WRITE);
    return one(place, { done: 'powered on' });
  },

  async off({ access }: Work, place: ServerPlace, force: boolean): Promise<Answer> {
    await access.client.servers.powerOff(place.zone, place.id, { force }, WRITE);
    return one(place, { done: force ? 'powered off at once' : 'asked to shut down' });
  },

  async reset({ access }: Work, place: ServerPlace): Promise<Answer> {
    await access.client.servers.reset(place.zone, place.id, WRITE);
    return one(place, { done: 'reset' });
  },

  async keyboard({ access }: Work, place: ServerPlace, keys: readonly string[]): Promise<Answer> {
    await access.client.servers.pressKeys(place.zone, place.id, keys, WRITE);
    return one(place, { done: `pressed ${keys.join(' + ')}` });
  },

  /** `store` is given the picture and how its name ends, and gives the path it wrote. */
  async snapshot(
    { access }: Work,
    place: ServerPlace,
    store: (image: Uint8Array, extension: string) => Promise<string>,
  ): Promise<Answer> {
    const { image, contentType } = await access.client.servers.snapshot(place.zone, place.id, READ);
    const path = await store(image, /jpe?g/i.test(contentType) ? 'jpg' : 'png');
    return one(place, { file: path, bytes: image.length });
  },
};
