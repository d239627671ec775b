import { notFound } from '../api-error.ts';
import { parseBody } from '../parse.ts';
import type { ApiRequest, ApiResponse, Routes } from '../router.ts';
import { steadyHash } from '../steady-random.ts';
import { touch } from '../touch.ts';
import { deleteAllCacheBody, deleteCacheBody, logUploadBody } from './schema.ts';
import { siteOf } from './site-operations.ts';

/** What only the public clients use: guard tokens, automatic certificates, log upload, purging. */
export const extensionRoutes: Routes = {
  'POST /site/:id/auto-cert-update': (request) => autoUpdate(request, true),
  'DELETE /site/:id/auto-cert-update': (request) => autoUpdate(request, false),
  'POST /site/:id/origin-guard-token': (request) => setGuard(request, 'originGuardToken', true),
  'DELETE /site/:id/origin-guard-token': (request) => setGuard(request, 'originGuardToken', false),
  'POST /site/:id/origin-guard-token/next': (request) => setGuard(request, 'nextOriginGuardToken', true),
  'DELETE /site/:id/origin-guard-token/next': (request) => setGuard(request, 'nextOriginGuardToken', false),

  'GET /site/:id/log-upload-config'(request) {
    const { logUpload, id } = siteOf(request);
    if (!logUpload) throw notFound(`log upload config of site ${id}`);
    return { body: { SiteLogUploadConfig: logUpload } };
  },

  'PUT /site/:id/log-upload-config'(request) {
    const site = siteOf(request);
    const { SecretAccessKey: _, ...shown } = parseBody(logUploadBody, request.body).SiteLogUploadConfig;
    site.logUpload = shown;
    touch(request.world, 'sites', site.id);
    return { body: { SiteLogUploadConfig: shown, Success: true } };
  },

  'DELETE /site/:id/log-upload-config'(request) {
    const site = siteOf(request);
    site.logUpload = null;
    touch(request.world, 'sites', site.id);
    return { body: { Success: true } };
  },

  'POST /deleteallcache'(request) {
    const { Domain } = parseBody(deleteAllCacheBody, request.body).Site;
    requireDomain(request, Domain);
    return { body: { Success: true } };
  },

  'POST /deletecache'(request) {
    const urls = parseBody(deleteCacheBody, request.body).URL;
    const results = urls.map((url) => ({ URL: url, Status: 200, Result: 'Success' }));
    for (const url of urls) requireDomain(request, new URL(url).hostname);
    return { body: { Success: true, Results: results } };
  },
};

function autoUpdate(request: ApiRequest, on: boolean): ApiResponse {
  const site = siteOf(request);
  site.autoCertUpdate = on;
  touch(request.world, 'sites', site.id);
  return { body: { Success: true } };
}

function setGuard(request: ApiRequest, member: 'originGuardToken' | 'nextOriginGuardToken', on: boolean): ApiResponse {
  const site = siteOf(request);
  site[member] = on ? steadyHash(`${site.id} ${member} ${request.now}`).toString(16).padStart(16, '0') : '';
  touch(request.world, 'sites', site.id);
  const token = member === 'originGuardToken' ? 'OriginGuardToken' : 'NextOriginGuardToken';
  return { body: { Success: true, ...(on && { [token]: site[member] }) } };
}

function requireDomain(request: ApiRequest, domain: string): void {
  for (const site of request.world.sites.values()) {
    if ([site.domain, site.asciiDomain, site.subdomain].includes(domain)) return;
  }
  throw notFound(`site ${domain}`);
}
