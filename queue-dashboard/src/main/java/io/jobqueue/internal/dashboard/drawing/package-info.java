/**
 * Drawings of what follows each other, as SVG that the server makes. Not API.
 */
@NullMarked
package io.jobqueue.internal.dashboard.drawing;

import org.jspecify.annotations.NullMarked;
