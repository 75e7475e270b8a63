/**
 * Signs people up: stores them, mails them a link and verifies who follows it.
 */
@NullMarked
package io.jobqueue.sample.signup;

import org.jspecify.annotations.NullMarked;
