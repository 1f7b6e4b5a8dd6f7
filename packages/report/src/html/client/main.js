import { startDrawer } from './drawer.js';
import { startRuleFilters } from './rules.js';

document.documentElement.classList.add('js');
startRuleFilters();
startDrawer();
