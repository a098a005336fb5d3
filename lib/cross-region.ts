import { CrossStackReferences, ReferenceStrength, type Stack } from 'aws-cdk-lib';

/**
 * References to a stack of another region are outputs that CloudFormation reads. The CDK's other way would add functions
 * of its own, whose roles get no permissions boundary of the app.
 */
export const readsOutputs = (stack: Stack): void =>
  CrossStackReferences.of(stack).consume(ReferenceStrength.WEAK);
