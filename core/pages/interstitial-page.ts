import type { Button, DeviceSection, Interstitial } from '../short-urls/interstitial.ts';
import { abuseNote } from './abuse-note.ts';
import { card, cardLink } from './card.ts';
import { escapeHtml, type HtmlPage, htmlPage } from './html.ts';
import { fill, messages, type PageMessages } from './messages.ts';

interface PageOptions {
  readonly abuseContact?: string | undefined;
  /** The project's colour, as six hex digits, and its logo as a data URL. */
  readonly brand?: { readonly color: string | null; readonly logo: string | null } | undefined;
  readonly text?: PageMessages;
}

/** The interstitial page, with its buttons for the visitor's device. It works without its script. */
export const interstitialPage = (
  page: Interstitial,
  { abuseContact, brand, text = messages }: PageOptions = {},
): HtmlPage => {
  const { about, destination, sections, browser } = page;
  const title = about?.title ?? new URL(destination).host;
  const offersStore = sections.some(({ buttons }) => buttons.some(({ kind }) => kind === 'store'));
  const hint = browser
    ? `<p class="note">${escapeHtml(fill(text.inApp, { browser: browser.name }))}</p>\n`
    : '';
  const copies = offersStore ? `<p class="note" id="copies" hidden>${escapeHtml(text.copies)}</p>\n` : '';
  return htmlPage({
    title,
    meta: bannerOf(page),
    language: text.language,
    pictures: brand?.logo ? 'https: http: data:' : 'https: http:',
    style: style + colorStyle(brand?.color),
    script,
    body: card(
      { title, description: shorten(about?.description), image: about?.image, logo: brand?.logo },
      [
        ...sections.map((section) => sectionHtml(section, page, text)),
        copies,
        hint,
        abuseNote(abuseContact, text),
      ].join(''),
    ),
  });
};

/** Safari's app banner on iPhones and iPads: it opens the App Store, or the installed app with the short URL. */
const bannerOf = ({ appStoreId, opened }: Interstitial): string => {
  if (appStoreId === undefined) return '';
  // Commas separate the banner's values: one in a query could name another app.
  const argument = opened.replaceAll(',', '%2C');
  return `<meta name="apple-itunes-app" content="${escapeHtml(`app-id=${appStoreId}, app-argument=${argument}`)}">\n`;
};

const descriptionLength = 300;

/** Shortens a description, to keep the buttons in view. */
const shorten = (text: string | undefined): string | undefined =>
  text && text.length > descriptionLength
    ? `${text
        .slice(0, descriptionLength - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}…`
    : text;

const sectionHtml = (
  section: DeviceSection,
  { sections, goesOn, opened }: Interstitial,
  text: PageMessages,
): string => {
  const { device, buttons, redirect } = section;
  const heading = sections.length > 1 ? `<h2>${escapeHtml(text.devices[device])}</h2>\n` : '';
  const links = buttons.map((button) => {
    const copies = button.kind === 'store' ? ` data-copy="${escapeHtml(opened)}"` : '';
    const goes = goesOn && button.url === redirect ? ' data-go' : '';
    // A text link below the button to the phone's own browser, for apps in which the button doesn't work.
    const isSpare = button.kind === 'web' && buttons.some(({ kind }) => kind === 'browser');
    return cardLink(button.url, nameOf(button, section, text), copies + goes, isSpare ? 'note' : 'button');
  });
  return `<section id="${device}">\n${heading}${links.join('')}</section>\n`;
};

const nameOf = ({ kind, url }: Button, { device, appName }: DeviceSection, text: PageMessages): string => {
  if (kind === 'browser') return device === 'ios' ? text.browser.ios : text.browser.android;
  if (kind === 'web') return fill(text.web, { host: new URL(url).host });
  if (appName === undefined) return kind === 'app' ? text.anyApp : text.anyStore;
  return fill(text[kind], { app: appName });
};

/**
 * Removes the other device's section, if there are two, and continues automatically if the page should; only once, so
 * that going back shows the page. A tap on the store button copies the short URL synchronously, because the clipboard's
 * own call may outlast the page. An image that fails to load is removed.
 */
const script = `(function () {
  var computer = document.getElementById('desktop'), tablet = document.getElementById('ios');
  if (computer && tablet) {
    (navigator.maxTouchPoints > 1 ? computer : tablet).remove();
    document.querySelector('h2').remove();
  }
  var go = document.querySelector('[data-go]');
  if (go && !history.state) {
    history.replaceState(1, '');
    location.replace(go.href);
  }
  document.querySelectorAll('[data-copy]').forEach(function (link) {
    document.getElementById('copies').hidden = false;
    link.setAttribute('aria-describedby', 'copies');
    link.addEventListener('click', function () {
      var text = link.dataset.copy;
      var field = document.createElement('textarea');
      field.value = text;
      field.readOnly = true;
      document.body.append(field);
      field.select();
      document.execCommand('copy');
      field.remove();
      if (navigator.clipboard) navigator.clipboard.writeText(text).catch(function () {});
    });
  });
  document.querySelectorAll('img').forEach(function (image) {
    image.onerror = function () { image.remove(); };
    if (image.complete && !image.naturalWidth) image.remove();
  });
})();`;

/** The image has a fixed ratio, so that buttons don't move while it loads. */
const style = `
.card .logo { width: auto; max-width: 100%; height: 3rem; margin-bottom: .75rem; object-fit: contain }
.card > img { aspect-ratio: 1.91; background: var(--line) }
h2 { margin: 1.25rem 0 0; color: var(--soft); font-size: 1rem; font-weight: 400 }
.card .note { margin-top: 1rem; font-size: .9375rem } a.note { display: block; text-align: center }
`;

/** The main button in the project's colour, on which white is readable; links too, on a light page. */
const colorStyle = (color: string | null | undefined): string =>
  color
    ? `@media (prefers-color-scheme: light) { :root { --accent: #${color} } }
.button:first-of-type { border-color: var(--line); background: #${color}; color: white }
`
    : '';
