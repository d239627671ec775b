import { domainToASCII } from 'node:url';
import type { Site } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { steadyHash } from '../steady-random.ts';
import { newSiteSettings } from './settings.ts';

/** A new site without certificate, ACL or secrets; a subdomain site is reached by its service-assigned name. */
export function makeSite(
  simulation: Simulation,
  given: {
    id?: string | undefined;
    name: string;
    domain?: string | undefined;
    status?: string | undefined;
    now: number;
  },
): Site {
  const id = given.id ?? simulation.nextID();
  const subdomain = `${steadyHash(id).toString(36).padStart(8, 'x')}.user.webaccel.example.jp`;
  const domain = given.domain ?? subdomain;
  return {
    id,
    domainType: given.domain === undefined ? 'subdomain' : 'own_domain',
    domain,
    asciiDomain: domainToASCII(domain) || domain,
    subdomain,
    createdAt: given.now,
    status: given.status ?? 'disabled',
    settings: { ...newSiteSettings, Name: given.name },
    oneTimeURLSecrets: null,
    accessKeyID: '',
    secretAccessKeyDigest: '',
    acl: '',
    current: null,
    previous: null,
    originGuardToken: '',
    nextOriginGuardToken: '',
    autoCertUpdate: false,
    logUpload: null,
  };
}
