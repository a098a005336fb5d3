/**
 * Types of `@react-native-firebase/dynamic-links` 22.4.0 under their names there, so that code keeps them. They have no
 * values, as there.
 */
export declare namespace FirebaseDynamicLinksTypes {
  interface DynamicLinkAnalyticsParameters {
    campaign?: string;
    content?: string;
    medium?: string;
    source?: string;
    term?: string;
  }

  interface DynamicLinkAndroidParameters {
    fallbackUrl?: string;
    minimumVersion?: string;
    packageName: string;
  }

  interface DynamicLinkIOSParameters {
    appStoreId?: string;
    bundleId: string;
    customScheme?: string;
    fallbackUrl?: string;
    iPadBundleId?: string;
    iPadFallbackUrl?: string;
    minimumVersion?: string;
  }

  interface DynamicLinkITunesParameters {
    affiliateToken?: string;
    campaignToken?: string;
    providerToken?: string;
  }

  interface DynamicLinkNavigationParameters {
    forcedRedirectEnabled?: boolean;
  }

  interface DynamicLinkSocialParameters {
    descriptionText?: string;
    imageUrl?: string;
    title?: string;
  }

  interface DynamicLinkOtherPlatformParameters {
    fallbackUrl?: string;
  }

  interface DynamicLinkParameters {
    link: string;
    domainUriPrefix: string;
    analytics?: DynamicLinkAnalyticsParameters;
    android?: DynamicLinkAndroidParameters;
    ios?: DynamicLinkIOSParameters;
    itunes?: DynamicLinkITunesParameters;
    navigation?: DynamicLinkNavigationParameters;
    social?: DynamicLinkSocialParameters;
    otherPlatform?: DynamicLinkOtherPlatformParameters;
  }

  enum ShortLinkType {
    SHORT = 'SHORT',
    UNGUESSABLE = 'UNGUESSABLE',
    DEFAULT = 'DEFAULT',
  }

  interface DynamicLink {
    url: string;
    /** On Android a number. */
    minimumAppVersion: number | string | null;
    utmParameters: Record<string, string>;
  }

  interface Statics {
    ShortLinkType: typeof ShortLinkType;
  }

  interface Module {
    buildLink(parameters: DynamicLinkParameters): Promise<string>;
    buildShortLink(parameters: DynamicLinkParameters, type?: ShortLinkType): Promise<string>;
    getInitialLink(): Promise<DynamicLink | null>;
    onLink(listener: (link: DynamicLink) => void): () => void;
    performDiagnostics(): void;
    resolveLink(link: string): Promise<DynamicLink>;
  }
}
