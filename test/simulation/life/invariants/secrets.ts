import { CANARY } from '../draw/vocabulary.ts';
import { USER } from '../perform.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** As it is, in Base64 at each of its three places, and what a private key begins with. */
const TRACES = new RegExp([CANARY, 'a2FuYXJp', 'thbmFya', 'rYW5hcm', 'PRIVATE KEY', 'UFJJVkFUR'].join('|'));

/** What each operation needs of them. */
const carriers: ReadonlySet<string> = new Set([
  'POST /commonserviceitem',
  'PUT /appliance/:id/mobilegateway/traffic_monitoring',
  'PUT webaccel/site/:id',
  'POST webaccel/site/:id/certificate',
  'PUT webaccel/site/:id/certificate',
]);

/** No secret in a log, an event, a status, a URL or a request that does not need it. */
export const secretsStay: AlwaysInvariant = {
  name: 'secrets stay where they belong',
  watch: (_, say) => ({
    stored({ new: object, resource, user }) {
      if (!object || user === USER || resource === 'secrets') return;
      if (TRACES.test(JSON.stringify(object['status'] ?? object))) {
        say(
          `${user} stores a secret in ${resource} ${object.metadata.namespace}/${object.metadata.name}: ${JSON.stringify(object).slice(0, 2000)}`,
        );
      }
    },
    message(moment, { to, route, target, body, process }) {
      if (moment !== 'written') return;
      if (TRACES.test(target)) say(`${process} writes a secret into the URL of ${route}: ${target}`);
      if (body !== undefined && !(to === 'service' && carriers.has(route)) && TRACES.test(body)) {
        say(`${process} writes a secret into the body of ${route}: ${body.slice(0, 500)}`);
      }
    },
    shown(process, query, _, body) {
      const found = TRACES.exec(body);
      if (found)
        say(
          `${process} shows a secret for ?${query}: …${body.slice(Math.max(0, found.index - 200), found.index + 200)}`,
        );
    },
    logged(process, line) {
      if (TRACES.test(line)) say(`${process} logs a secret: ${line.slice(0, 500)}`);
    },
  }),
};
