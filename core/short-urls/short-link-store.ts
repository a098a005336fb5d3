import type { Platform } from '../base/platform.ts';
import type { VisitorReads } from '../cached-reads/visitor-reads.ts';
import { type IsBlocked, takedownStore } from '../destinations/takedowns.ts';
import { webAddressFault } from '../destinations/web-address.ts';
import type { CustomHost } from '../hosts/domain-store.ts';
import { isServiceHost, type ShortPath } from '../hosts/short-address.ts';
import { statusAt } from '../links/link.ts';
import type { Project } from '../projects/project.ts';
import type { QrStyle } from '../qr-styles/qr-style.ts';
import { styleOf } from '../qr-styles/stored-style.ts';
import { appKey, associationKey, domainKey, type LinkId, linkKey, projectKey } from '../table/keys.ts';
import { qrStyleKey } from '../table/qr-style-keys.ts';
import type { Apps } from './app-settings.ts';
import type { Association } from './association.ts';
import { type RoutedLink, savedAppId } from './routing.ts';

/** The link of a short URL. */
export interface FoundLink extends LinkId {
  readonly link: RoutedLink;
}

/** Whether a link is active; otherwise visitors get "not found". */
export const isLive = ({ link }: FoundLink, now: Date): boolean => statusAt(link, now) === 'ACTIVE';

/**
 * Reads the links of short URLs; `shortDomain` is the service's own domain, if it has one. Reads of links are
 * consistent: a change applies to the next visitor, unless the table can't be read.
 */
export const shortLinkStore = (reads: VisitorReads, shortDomain?: string) => {
  const takedowns = takedownStore(reads);

  const findLink = async (project: string, code: string): Promise<FoundLink | undefined> => {
    const [link, isSuspended, isBlocked] = await Promise.all([
      reads.item(linkKey(project, code)) as Promise<RoutedLink | undefined>,
      takedowns.isSuspended(project),
      takedowns.isBlocked(),
    ]);
    const isKeyBlocked = await takedowns.isKeyBlocked(link?.shareKey);
    return link && !isSuspended && !isKeyBlocked
      ? { project, code, link: { ...link, isBlocked } }
      : undefined;
  };

  return {
    /**
     * Finds the link of a short URL: on the project's custom host, or in the project's folder. Only shared hosts show
     * other projects' links, because visitors would take them for the host's own. Suspended projects' links aren't
     * found.
     */
    async find(
      { folder, code }: Pick<ShortPath, 'folder' | 'code'>,
      host: string,
    ): Promise<FoundLink | undefined> {
      if (folder === undefined) {
        const owner = await ownerOf(reads, host);
        return owner && findLink(owner.project, code);
      }
      const [owner, target] = await Promise.all([
        isServiceHost(host, shortDomain) ? undefined : ownerOf(reads, host, true),
        findLink(folder, code),
      ]);
      return isServiceHost(host, shortDomain) || owner?.shared || owner?.project === folder
        ? target
        : undefined;
    },

    /**
     * A host's addresses for `/` and the 404 page; none on the service's own hosts, for suspended projects, or if an
     * address is no longer allowed. After `find` on the same host it costs no read.
     */
    async addresses(host: string): Promise<Pick<CustomHost, 'root' | 'notFound'>> {
      const owner = isServiceHost(host, shortDomain) ? undefined : await ownerOf(reads, host, true);
      if (!owner || owner.shared || !(owner.root || owner.notFound)) return {};
      const [isSuspended, isBlocked] = await Promise.all([
        takedowns.isSuspended(owner.project),
        takedowns.isBlocked(),
      ]);
      if (isSuspended) return {};
      return { root: openable(owner.root, isBlocked), notFound: openable(owner.notFound, isBlocked) };
    },

    /** A link's saved apps for these platforms, with one read each. Apps that can't be read are left out. */
    async apps({ project, link }: FoundLink, platforms: readonly Platform[]): Promise<Apps> {
      const found = await Promise.all(
        platforms.map(async (platform) => {
          const id = savedAppId(link, platform);
          const app = id && (await reads.item(appKey(project, id)).catch(() => reads.count('AppUnread')));
          return app ? { [platform]: app } : {};
        }),
      );
      return Object.assign({}, ...found);
    },

    /** The project's QR style. */
    async style({ project }: FoundLink): Promise<QrStyle> {
      return styleOf(await reads.item(qrStyleKey(project)));
    },

    /** The same, up to five seconds old; the default style if it can't be read. */
    async recentStyle({ project }: FoundLink): Promise<QrStyle> {
      const reading = reads.recentItem(qrStyleKey(project), { trustAbsence: false });
      return styleOf(await reading.catch(() => undefined));
    },

    /** The base address of the project's short URLs, such as `https://go.example.com`. */
    async base({ project }: FoundLink, asked: { host: string; scheme: string }): Promise<string> {
      const found = (await reads.item(projectKey(project))) as Project | undefined;
      if (found?.host === undefined) return `${asked.scheme}://${asked.host}/${project}`;
      // The shared host has the request's scheme, which is http locally; custom hosts always have https.
      const isShared = (await ownerOf(reads, found.host))?.shared;
      return `${isShared ? asked.scheme : 'https'}://${found.host}`;
    },

    /** The apps that may open the short URLs of a link's project. */
    async association({ project }: FoundLink): Promise<Association | undefined> {
      return (await reads.item(associationKey(project))) as Association | undefined;
    },
  };
};

/** An address in a header's form, if today's rules allow it and it isn't blocked. */
const openable = (address: string | undefined, isBlocked: IsBlocked | undefined): string | undefined => {
  if (!address || webAddressFault(address) !== undefined) return undefined;
  const url = new URL(address);
  return isBlocked?.(url.hostname) ? undefined : url.href;
};

/**
 * The custom host with its project. A cached absence is used only with `trustAbsence`: on a newly assigned host, codes
 * work at once, folders a moment later.
 */
export const ownerOf = async (
  reads: VisitorReads,
  host: string,
  trustAbsence = false,
): Promise<CustomHost | undefined> =>
  host === ''
    ? undefined
    : ((await reads.recentItem(domainKey(host), { trustAbsence })) as CustomHost | undefined);
