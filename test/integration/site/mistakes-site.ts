import { secret } from '../../support/manifests.ts';
import { type Chapter, type Mistake, object } from '../sim/mistake.ts';

const WWW = ['WebAccelSite', 'www'] as const;
const DOMAIN = 'www.example.jp';
const seeded = { id: '113300000301', name: 'www', domain: DOMAIN, settings: { Origin: 'origin.example.jp' } };
const existing = { seed: { sites: [seeded] } };

const manifest = (part: string, name = 'www') => object('WebAccelSite', name, part, { domain: DOMAIN });
const site = (part: string, name?: string): Pick<Mistake, 'wrote' | 'manifest'> => ({
  wrote: part,
  manifest: part.startsWith('siteID') ? object('WebAccelSite', 'www', part, {}) : manifest(part, name),
});

const refused: readonly Mistake[] = [
  {
    title: 'Both a web server and a bucket as origin',
    ...site(
      'origin: {webServer: {host: origin.example.jp}, objectStorage: {bucket: www, endpoint: s3.example.jp, region: jp-north-1, credentialsSecretRef: {name: s3}}}',
    ),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.origin: Invalid value: "object": origin must have exactly one of webServer and objectStorage: a site has one origin',
    },
    remedy: 'Keep the one the site is to be filled from.',
  },
  {
    title: 'HTTP to a bucket',
    ...site(
      'origin: {objectStorage: {protocol: HTTP, bucket: www, endpoint: s3.example.jp, region: jp-north-1, credentialsSecretRef: {name: s3}}}',
    ),
    sees: {
      kubectl:
        'Error from server (BadRequest): error when creating "STDIN": WebAccelSite in version "v1alpha1" cannot be handled as a WebAccelSite: strict decoding error: unknown field "spec.origin.objectStorage.protocol"',
    },
    remedy: 'Leave protocol out: a bucket is always reached by HTTPS.',
  },
  {
    title: 'A cache lifetime out of range',
    ...site('defaultCacheTTL: 1209600'),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.defaultCacheTTL: Invalid value: "integer": defaultCacheTTL must be 0 to 604800 seconds (a week), or -1 to cache nothing by default',
    },
    remedy: 'Write seconds, at most 604800.',
  },
  {
    title: 'A URL where a domain is meant',
    ...site('domain: https://www.example.jp/'),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.domain: Invalid value: "string": domain must be a host name, such as www.example.jp, without https://, port and path',
    },
    remedy: 'Write the domain alone.',
  },
  {
    title: 'A user and a password in the origin',
    ...site('origin: {webServer: {host: "user:password@origin.example.jp"}}'),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.origin.webServer.host: Invalid value: "string": host must be a host name or an address, such as origin.example.jp, without https://, user, path and spaces',
    },
    remedy: 'Write the host alone: the service has nowhere to keep a user, and a manifest is no place for a password.',
  },
  {
    title: 'A port that does not exist',
    ...site('origin: {webServer: {host: "origin.example.jp:99999"}}'),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.origin.webServer.host: Invalid value: "string": host has a port that does not exist: write one from 1 to 65535, or none',
    },
    remedy: 'Correct the port.',
  },
  {
    title: 'A host header with a line break',
    ...site('origin: {webServer: {host: origin.example.jp, hostHeader: "www.example.jp\\r\\nX-From: edge"}}'),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.origin.webServer.hostHeader: Invalid value: "string": hostHeader must be a host name or an address, such as www.example.jp, without https://, user, path and spaces',
    },
    remedy: 'Write the value of the Host header alone.',
  },
  {
    title: 'A URL where a bucket is meant',
    ...site(
      'origin: {objectStorage: {bucket: "s3://www", endpoint: s3.example.jp, region: jp-north-1, credentialsSecretRef: {name: s3}}}',
    ),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.origin.objectStorage.bucket: Invalid value: "string": bucket must be the name of the bucket alone, such as www-example, without s3://, path and spaces',
    },
    remedy: 'Write the name of the bucket alone.',
  },
  {
    title: 'A star as an allowed origin',
    ...site('cors: {allowedOrigins: ["*"]}'),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.cors.allowedOrigins[0]: Invalid value: "string": any origin is allowed by allowAnyOrigin: true, not by "*"',
    },
    remedy: 'Write cors: {allowAnyOrigin: true}.',
  },
  {
    title: 'A site to be deleted with its resource',
    ...site('deletionPolicy: Delete'),
    sees: {
      kubectl:
        'The WebAccelSite "www" is invalid: spec.deletionPolicy: Invalid value: "string": deletionPolicy can be Orphan only: deletion leaves what is at the service as it is',
    },
    remedy: 'Leave it out: sites are neither created nor deleted here.',
  },
];

const waiting: readonly Mistake[] = [
  {
    title: 'A domain the account does not have',
    ...site('domain: shop.example.jp'),
    world: existing,
    sees: {
      on: WWW,
      reason: 'SiteNotFound',
      message:
        "The account has no site of the domain shop.example.jp. Sites are not created here: add it in the service's control panel, or correct the name by creating the resource again.",
    },
    remedy: 'Add the site in the control panel; it is found within five minutes.',
    mend: (world) => world.simulator.add('sites', { ...seeded, id: '113300000309', domain: 'shop.example.jp' }),
    mended: [WWW],
  },
  {
    title: 'A domain of two sites',
    ...site('domain: 日本語.jp'),
    world: {
      seed: {
        sites: [
          { ...seeded, domain: '日本語.jp' },
          { ...seeded, id: '113300000302', domain: 'xn--wgv71a119e.jp' },
        ],
      },
    },
    sees: {
      on: WWW,
      reason: 'AmbiguousDomain',
      message:
        'The account has several sites of the domain 日本語.jp: 113300000301, 113300000302. Create the resource again with the siteID of the one that is meant.',
    },
    remedy: 'Create the WebAccelSite again, with the siteID of the one that is meant instead of the domain.',
  },
  {
    title: 'Two WebAccelSites for one site',
    ...site('siteID: "113300000301"'),
    manifest: object('WebAccelSite', 'www-2', 'siteID: "113300000301"', {}),
    world: existing,
    before: async (world) => {
      await world.apply(manifest(''));
      await world.ready(...WWW);
    },
    sees: {
      on: ['WebAccelSite', 'www-2'],
      reason: 'AlreadyManaged',
      message:
        'Site 113300000301 is already managed by the WebAccelSite fleet/www. Delete one of the two; the site itself stays as it is.',
    },
    remedy: 'Delete one of the two; the other takes over automatically.',
    mend: (world) => world.delete(...WWW),
    mended: [['WebAccelSite', 'www-2']],
  },
  {
    title: 'A rule that is none',
    ...site('accessControl: ["deny 192.0.2.0/24", "block all"]'),
    world: existing,
    sees: {
      on: WWW,
      reason: 'AccessControlInvalid',
      message:
        'accessControl line 2, "block all": write deny or allow, a space, and an address, a network or all, for example "deny 192.0.2.0/24".',
    },
    remedy: 'Correct the line; nothing of the list was sent.',
    mend: (world) => world.apply(manifest('accessControl: ["deny 192.0.2.0/24", "allow all"]')),
    mended: [WWW],
  },
  {
    title: 'The site as its own origin',
    ...site('origin: {webServer: {host: www.example.jp, protocol: HTTPS}}'),
    world: existing,
    sees: {
      on: WWW,
      status: 'True',
      reason: 'Available',
      message:
        "Site 113300000301 is at the service. Warning: origin.webServer.host www.example.jp is the site's own domain: where that leads to the service, each request comes back to it without end. Name what the content comes from, such as origin.example.jp, and this domain in hostHeader.",
    },
    remedy: 'Name the web server itself. What is written is sent: before the domain is moved to the service, it works.',
    mend: (world) =>
      world.apply(manifest('origin: {webServer: {host: origin.example.jp, hostHeader: www.example.jp}}')),
    mended: [WWW],
  },
  {
    title: 'No Secret for the bucket',
    ...site(
      'origin: {objectStorage: {bucket: www, endpoint: s3.example.jp, region: jp-north-1, credentialsSecretRef: {name: s3}}}',
    ),
    world: existing,
    sees: {
      on: WWW,
      reason: 'SecretNotFound',
      message: 'There is no Secret s3 in namespace fleet. Create it with the keys accessKeyID and secretAccessKey.',
    },
    remedy: 'Create it; the site continues on its own.',
    mend: (world) => world.apply(secret('s3', { accessKeyID: 'id', secretAccessKey: 'secret' })),
    mended: [WWW],
  },
];

export const siteChapters: readonly Chapter[] = [
  {
    title: 'A WebAccelSite that kubectl refuses',
    about: 'Correct the manifest and apply it again; nothing was stored.',
    mistakes: refused,
  },
  {
    title: 'A WebAccelSite that is not Ready',
    about: '`kubectl describe wsite` shows the condition.',
    mistakes: waiting,
  },
];
