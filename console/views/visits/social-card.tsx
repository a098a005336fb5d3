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

/** Approximates a social network's card. Without the image, because this page loads nothing from other hosts. */
export const SocialCard = ({ social, host }: SocialCardProps) =>
  social && (social.title || social.description || social.image) ? (
    <div class="social">
      <div class="picture">
        {social.image ? (
          <a href={social.image} target="_blank" rel="noreferrer">
            Open the image
          </a>
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
