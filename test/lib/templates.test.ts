// In one file, because each file loads the CDK and synthesizes anew.
import './templates/api.ts';
import './templates/click-export.ts';
import './templates/clicks.ts';
import './templates/cost.ts';
import './templates/monitoring.ts';
import './templates/short-links.ts';
import './templates/stack.ts';
