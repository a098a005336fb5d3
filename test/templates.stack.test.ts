// In one file, because each file synthesizes anew.
import './lib/deployments/alarms.ts';
import './lib/deployments/findings.ts';
import './lib/deployments/names.ts';
import './lib/deployments/properties.ts';
import './lib/templates/alarm-series.ts';
import './lib/templates/api.ts';
import './lib/templates/click-export.ts';
import './lib/templates/click-queue.ts';
import './lib/templates/clicks.ts';
import './lib/templates/cost.ts';
import './lib/templates/embedded.ts';
import './lib/templates/monitoring.ts';
import './lib/templates/pages.ts';
import './lib/templates/short-links.ts';
import './lib/templates/stack.ts';
import './lib/templates/webhooks.ts';
import './ops/preflight/preflight.ts';
