/**
 * Tests in a browser, and their base.
 */
@NullMarked
package io.jobqueue.internal.dashboard.browser;

import org.jspecify.annotations.NullMarked;
