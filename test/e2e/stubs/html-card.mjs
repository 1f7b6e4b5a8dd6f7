// A card URL that leads to a web page, as behind a login.
import { serveCard } from './serve-card.mjs';

serveCard('text/html', '<!doctype html><title>Sign in</title><script>alert(1)</script>');
