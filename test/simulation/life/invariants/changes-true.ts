import { type ChangeLine, changeSchema } from '../../../../src/reconcile/change-line.ts';
import { at, textAt } from '../json.ts';
import { pathOf } from './changes-told.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What the service has in an object after a write. */
interface Made {
  readonly at: number;
  readonly after: unknown;
}

const onOrOff = (value: unknown) => (value === true ? 'on' : 'off');

/** How the log of changes shows what an object of the service has, by kind and field: those whose values are plain. */
const shown: Readonly<Record<string, Readonly<Record<string, (object: unknown) => string>>>> = {
  Sim: {
    activated: (sim) => String(at(sim, 'activated')),
    ipAddress: (sim) => textAt(sim, 'ip') ?? 'none',
    imeiLock: (sim) => textAt(sim, 'imeiLock') ?? 'not locked',
  },
  MobileGateway: {
    internetConnection: (gateway) => onOrOff(at(gateway, 'pending', 'internetConnection')),
    interDeviceCommunication: (gateway) => onOrOff(at(gateway, 'pending', 'interDeviceCommunication')),
  },
  WebAccelSite: { defaultCacheTTL: (site) => String(at(site, 'settings', 'DefaultCacheTTL')) },
};

/** A line that tells of a write as done says what there is after it. */
export const changesTrue: AlwaysInvariant = {
  name: 'the log of changes tells what the service has since',
  watch(scene, say) {
    /** By process and request, the last one. */
    const made = new Map<string, Made>();
    return {
      changed(change) {
        const { message } = scene.cause ?? {};
        if (message?.to !== 'service' || message.process !== change.from) return;
        const key = `${message.process} ${message.verb} ${pathOf(message.target)}`;
        made.set(key, { at: scene.world.now(), after: change.after });
      },
      logged(process, text) {
        if (!text.includes('"component":"change"')) return;
        const { success, data } = changeSchema.safeParse(JSON.parse(text));
        if (success && data.outcome === 'done') for (const said of untrueOf(process, data)) say(`${said}: ${text}`);
      },
    };

    function untrueOf(process: string, { kind, request, fields, durationMs }: ChangeLine): string[] {
      const last = made.get(`${process} ${request}`);
      // A try before this one may have arrived late, and is not what it tells of.
      if (!last || last.at < scene.world.now() - (durationMs ?? 0) - 1) return [];
      return fields.flatMap(({ field, after }) => {
        const has = shown[kind]?.[field]?.(last.after);
        return has === undefined || has === after ? [] : [`${process} tells of ${field} as ${after}, and it is ${has}`];
      });
    }
  },
};
