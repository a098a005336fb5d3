import { CrossStackReferences, ReferenceStrength, type Stack } from 'aws-cdk-lib';

/**
 * Makes references to another region's stack outputs that CloudFormation reads. The CDK's alternative would add
 * functions of its own, whose roles lack the app's permissions boundary.
 */
export const readsOutputs = (stack: Stack): void =>
  CrossStackReferences.of(stack).consume(ReferenceStrength.WEAK);
