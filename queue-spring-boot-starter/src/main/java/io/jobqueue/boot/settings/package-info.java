/**
 * What is made of the settings of an application: checked, completed by defaults, and
 * refused with the remedy where they cannot work. Not API.
 */
@NullMarked
package io.jobqueue.boot.settings;

import org.jspecify.annotations.NullMarked;
