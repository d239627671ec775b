/** Faults that one story is about: its lives come first. By the name of the story. */
const faults: Readonly<Record<string, readonly string[]>> = {
  'taken-over': [
    'gateway-of-the-name-taken-for-own',
    'sim-that-existed-taken-for-own-work',
    'sim-adopted-though-never',
  ],
  moves: ['sim-leaves-with-its-address', 'sim-registers-before-it-leaves', 'sim-moved-elsewhere-not-seen'],
  addresses: ['sim-circle-never-broken', 'sim-address-of-another-not-waited-for', 'waiting-for-address-not-told'],
  waiting: ['sims-not-told-of-gateway', 'gateway-not-told-of-routed-sim', 'new-sim-of-the-list-not-noticed'],
  'old-gateway': [
    'gateway-found-settings-unset',
    'gateway-foreign-sim-routes-removed',
    'gateway-deletion-takes-sims-offline',
  ],
  'made-gateway': [
    'gateway-resolvers-stay-untold',
    'gateway-webhook-change-missed',
    'gateway-config-not-remembered',
    'gateway-dns-pending-forgotten',
    'gateway-dns-changed-primary-only',
  ],
  'out-of-service': [
    'gateway-stop-forgotten',
    'sim-ready-without-address',
    'gateway-started-though-stopped-by-hand',
    'gateway-ready-though-stopped',
    'gateway-never-started',
    'sim-stale-list-believed',
    'sim-ready-though-inactive',
    'sim-ready-without-gateway',
  ],
  'new-sims': [
    'sim-activated-at-is-registered-at',
    'sim-connected-imei-is-locked-imei',
    'pass-code-not-a-secret',
    'sim-active-before-its-carriers',
  ],
  'two-accounts': ['sim-on-gateway-of-another-account'],
};

/** What the script of a life has in it that tells the story of a fault; undefined where no story is about it. */
export function storyOf(fault: string): readonly RegExp[] | undefined {
  const story = Object.keys(faults).find((name) => faults[name]?.includes(fault));
  return story === undefined ? undefined : [new RegExp(`"story":"${story}"`)];
}
