package io.jobqueue.sample.signup;

/**
 * How far a signup has come.
 */
enum Status {

	/**
	 * Stored; the mail is on its way.
	 */
	PENDING,

	/**
	 * The mail server has taken the mail.
	 */
	MAILED,

	/**
	 * The link in the mail was followed.
	 */
	VERIFIED

}
