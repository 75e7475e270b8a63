/**
 * The auto-configuration of the dashboard, which applications exclude by name.
 */
@NullMarked
package io.jobqueue.dashboard;

import org.jspecify.annotations.NullMarked;
