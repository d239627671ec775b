import type { ApiName, Match, Router } from './router.ts';
import { decoded } from './url-text.ts';
import { isZone, sharedZone, type Zone } from './zones.ts';

export interface Located extends Match {
  readonly api: ApiName;
  readonly zone: Zone;
}

/**
 * Finds the operation of `/cloud/zone/<zone>/api/cloud/1.1/…` or `/cloud/zone/is1a/api/webaccel/1.0/…`. `applience` and
 * `appliance` are the same word (`api.md`, Mobile gateway operations).
 */
export function locate(router: Router, method: string, path: string): Located | undefined {
  const [empty, cloud, zoneWord, zone = '', api, name, version, ...segments] = path.split('/');
  if (empty !== '' || cloud !== 'cloud' || zoneWord !== 'zone' || api !== 'api' || !isZone(zone)) return undefined;
  if (segments[0] === 'applience') segments[0] = 'appliance';
  const served = apiOf(name, version, zone);
  const match = served && router.match(served, method, segments.map(decoded));
  return match && { ...match, api: served, zone };
}

function apiOf(name: string | undefined, version: string | undefined, zone: Zone): ApiName | undefined {
  if (name === 'cloud' && version === '1.1') return 'cloud';
  return name === 'webaccel' && version === '1.0' && zone === sharedZone ? 'webaccel' : undefined;
}
