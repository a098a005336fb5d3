// In one file, because each file loads the CDK and synthesizes anew.
import './deployments/alarms.ts';
import './deployments/findings.ts';
import './deployments/properties.ts';
