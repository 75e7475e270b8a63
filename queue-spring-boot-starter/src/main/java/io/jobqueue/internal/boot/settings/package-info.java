/**
 * Validates the application's settings and applies defaults. Not API.
 */
@NullMarked
package io.jobqueue.internal.boot.settings;

import org.jspecify.annotations.NullMarked;
