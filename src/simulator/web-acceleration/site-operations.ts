import { badRequest, conflict } from '../api-error.ts';
import type { Site } from '../model.ts';
import { parseBody } from '../parse.ts';
import type { ApiRequest, Routes } from '../router.ts';
import { find } from '../simulation.ts';
import { touch } from '../touch.ts';
import { storedACL } from './acl.ts';
import { makeSite } from './make.ts';
import { aclBody, changeSiteBody, createSiteBody, statusBody } from './schema.ts';
import { applySettings } from './settings.ts';
import { siteDetail, siteElement } from './view.ts';

/** The site of the path; 403 when it is another account's. */
export function siteOf(request: ApiRequest): Site {
  return find(request.simulation, request.world, 'sites', request.ids[0] ?? '');
}

/** Sites and their access control lists (`api.md`, Web acceleration operations), and create, delete, status of the public clients. */
export const siteRoutes: Routes = {
  'GET /site'({ world, simulation }) {
    const { siteCountLimit } = simulation.settings;
    const sites = [...world.sites.values()];
    const shown = sites.slice(0, siteCountLimit).map((site, Index) => ({ Index, ...siteElement(site) }));
    return { body: { Total: sites.length, From: 0, Count: shown.length, CountLimit: siteCountLimit, Sites: shown } };
  },

  'POST /site'(request) {
    const { simulation, world, now, extended } = request;
    const { Site: given } = parseBody(createSiteBody(extended), request.body);
    if (given.DomainType === 'own_domain' && !given.Domain) throw badRequest('Site.Domain: write the domain');
    const domain = given.DomainType === 'own_domain' ? given.Domain : undefined;
    const taken = simulation.accounts.some(({ world }) =>
      [...world.sites.values()].some((site) => site.domain === domain),
    );
    if (taken) throw conflict(`Site.Domain: there is a site for ${domain ?? ''}`);
    const site = makeSite(simulation, { name: given.Name, domain, now });
    applySettings(site, given, true);
    world.sites.set(site.id, site);
    touch(world, 'sites', site.id);
    return { status: 201, body: { Site: siteDetail(site, extended), Success: true } };
  },

  'GET /site/:id': (request) => ({ body: { Site: siteDetail(siteOf(request), request.extended) } }),

  'PUT /site/:id'(request) {
    const site = siteOf(request);
    applySettings(site, parseBody(changeSiteBody(request.extended), request.body).Site);
    touch(request.world, 'sites', site.id);
    return { body: { Site: siteDetail(site, request.extended), Success: true } };
  },

  'DELETE /site/:id'(request) {
    const site = siteOf(request);
    if (site.status === 'enabled') throw conflict(`site ${site.id} is enabled: disable it first`);
    request.world.sites.delete(site.id);
    touch(request.world, 'sites', site.id);
    return { body: { Site: siteDetail(site, request.extended), Success: true } };
  },

  'PUT /site/:id/status'(request) {
    const site = siteOf(request);
    site.status = parseBody(statusBody, request.body).Site.Status;
    touch(request.world, 'sites', site.id);
    return { body: { Site: siteDetail(site, request.extended), Success: true } };
  },

  'GET /site/:id/acl': (request) => ({ body: { ACL: siteOf(request).acl } }),

  'PUT /site/:id/acl'(request) {
    const site = siteOf(request);
    site.acl = storedACL(parseBody(aclBody, request.body).ACL);
    touch(request.world, 'sites', site.id);
    return { body: { ACL: site.acl, Success: true } };
  },

  'DELETE /site/:id/acl'(request) {
    const site = siteOf(request);
    site.acl = '';
    touch(request.world, 'sites', site.id);
    return { body: { Success: true } };
  },
};
