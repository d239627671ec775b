import { badRequest, notFound } from '../api-error.ts';
import { queryParameter } from '../list-query.ts';
import type { Site } from '../model.ts';
import { parseBody } from '../parse.ts';
import type { ApiRequest, ApiResponse, Routes } from '../router.ts';
import type { Simulation } from '../simulation.ts';
import { touch } from '../touch.ts';
import { certificateView, checkedChain } from './certificate.ts';
import { certificateBody } from './schema.ts';
import { siteOf } from './site-operations.ts';

/** Puts a certificate into service; the current one becomes the previous one. */
export function storeCertificate(
  simulation: Simulation,
  site: Site,
  given: { readonly chain: string; readonly key: string | undefined },
  now: number,
): void {
  const chain = checkedChain(given.chain, given.key, site.current, now);
  site.previous = site.current;
  site.current = { id: simulation.nextID(), chain, createdAt: now, updatedAt: now };
}

/** The certificates of a site (`api.md`, Web acceleration operations). */
export const certificateRoutes: Routes = {
  'GET /site/:id/certificate'(request) {
    const site = siteOf(request);
    const type = queryParameter(request.query, 'type');
    if (type !== undefined && type !== 'current' && type !== 'old') throw badRequest('type: write current or old');
    return { body: { Certificate: certificateView(site, request.extended, type) } };
  },

  'POST /site/:id/certificate'(request) {
    const { CertificateChain: chain, Key: key } = parseBody(certificateBody, request.body).Certificate;
    if (key === undefined) throw badRequest('Certificate.Key: write the private key in PEM');
    return stored(request, chain, key);
  },

  'PUT /site/:id/certificate'(request) {
    const site = siteOf(request);
    const { CertificateChain: chain, Key: key } = parseBody(certificateBody, request.body).Certificate;
    if (!site.current) throw notFound(`certificate of site ${site.id}`);
    return stored(request, chain, key);
  },

  'DELETE /site/:id/certificate'(request) {
    const site = siteOf(request);
    if (!site.current) throw notFound(`certificate of site ${site.id}`);
    site.current = null;
    touch(request.world, 'sites', site.id);
    return { body: { Success: true } };
  },
};

function stored(request: ApiRequest, chain: string, key: string | undefined): ApiResponse {
  const site = siteOf(request);
  storeCertificate(request.simulation, site, { chain, key }, request.now);
  touch(request.world, 'sites', site.id);
  return { body: { Certificate: certificateView(site, request.extended), Success: true } };
}
