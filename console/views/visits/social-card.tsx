import { useState } from 'preact/hooks';
import { client } from '../../calls/client.ts';

interface SocialCardProps {
  readonly social:
    | {
        readonly title?: string | undefined;
        readonly description?: string | undefined;
        readonly image?: string | undefined;
      }
    | undefined;
  readonly host: string;
}

/** Approximates a social network's card. */
export const SocialCard = ({ social, host }: SocialCardProps) =>
  social && (social.title || social.description || social.image) ? (
    <div class="social">
      <div class="picture">
        {social.image ? (
          <CardImage key={social.image} src={social.image} />
        ) : (
          <span>No image: networks show a small card</span>
        )}
      </div>
      <div class="words">
        <span class="soft">{host}</span>
        <b class="clamp" dir="auto">
          {social.title ?? host}
        </b>
        <span class="clamp" dir="auto">
          {social.description}
        </span>
      </div>
    </div>
  ) : (
    <p class="soft">
      None: networks read the tags of the destination, unless the link has a title, a description or an image
      of its own.
    </p>
  );

/** The image on a click, in a frame that loads it: the console's page loads nothing from other hosts. */
const CardImage = ({ src }: { src: string }) => {
  const [isShown, setShown] = useState(false);
  return isShown ? (
    <iframe
      title="Image of the card"
      sandbox=""
      src={`${client().base}/image?${new URLSearchParams({ src })}`}
    />
  ) : (
    <button type="button" onClick={() => setShown(true)}>
      Show the image
    </button>
  );
};
