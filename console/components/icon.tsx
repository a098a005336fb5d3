import ban from 'lucide/dist/esm/icons/ban.mjs';
import braces from 'lucide/dist/esm/icons/braces.mjs';
import chart from 'lucide/dist/esm/icons/chart-column.mjs';
import copy from 'lucide/dist/esm/icons/copy.mjs';
import duplicate from 'lucide/dist/esm/icons/copy-plus.mjs';
import download from 'lucide/dist/esm/icons/download.mjs';
import filter from 'lucide/dist/esm/icons/list-filter.mjs';
import megaphone from 'lucide/dist/esm/icons/megaphone.mjs';
import monitor from 'lucide/dist/esm/icons/monitor.mjs';
import pause from 'lucide/dist/esm/icons/pause.mjs';
import pencil from 'lucide/dist/esm/icons/pencil.mjs';
import play from 'lucide/dist/esm/icons/play.mjs';
import route from 'lucide/dist/esm/icons/route.mjs';
import settings from 'lucide/dist/esm/icons/settings-2.mjs';
import share from 'lucide/dist/esm/icons/share-2.mjs';
import phone from 'lucide/dist/esm/icons/smartphone.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';
import { h } from 'preact';

const icons = {
  ban,
  braces,
  chart,
  copy,
  download,
  duplicate,
  filter,
  megaphone,
  monitor,
  pause,
  pencil,
  phone,
  play,
  route,
  settings,
  share,
  trash,
};

export type IconName = keyof typeof icons;

/** Decorates a text; hidden from screen readers. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {icons[name].map(([tag, attributes], key) => h(tag, { ...attributes, key }))}
  </svg>
);
